// The pages of the documentation site, of the documents that the repository has.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { inRoot } from '../paths.mjs'

/** Documents of the root that are pages; sections of README.md are pages, too. */
const OF_PROJECT = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  'RELEASING.md',
]

/** A file of an example, as the only content of a line, is shown in the page. */
const SHOWN_FILE = /^\[[^\]]+\]\((\S+\.(?:m?js|html|capnp))\)$/gm

/** Returns the pages by their paths in the site: the document that each is made of, and its text. */
export function sitePages() {
  const pages = new Map()
  for (const { title, slug, text } of sectionsOfReadme()) {
    pages.set(`reference/${slug}.md`, { source: 'README.md', text: `# ${title}\n${raised(text)}` })
  }
  for (const source of documents()) {
    pages.set(pathOf(source), { source, text: withFiles(source, textOf(source)) })
  }
  const home = pages.get('index.md')
  home.text = `${homeHead()}\n${home.text.replace(/^# .*\n/, '')}`
  return pages
}

/** Returns the groups of the sidebar: those of docs/README.md, each a list of links. */
export function sidebar() {
  return textOf('docs/README.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      text: section.slice(0, section.indexOf('\n')),
      items: Array.from(section.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm), ([, text, to]) => ({
        text,
        link: linkTo('docs/README.md', to),
      })),
    }))
}

/**
 * Returns what a relative link of a document leads to in the site, or `null` if that is a file of
 * the repository which is no page.
 */
export function linkTo(source, href) {
  const [file, anchor = ''] = href.split('#')
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(source), file))
  const document = file === '' ? source : asDocument(target)
  if (document === 'README.md') return linkIntoReadme(anchor)
  if (document === null || !pathsOfDocuments().has(document)) return null
  return `/${pathOf(document)}${anchor && `#${anchor}`}`
}

/** The id of a heading, as Git hosts make it. */
export function slugOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

function documents() {
  const below = (folder) =>
    readdirSync(inRoot(folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
  return [...OF_PROJECT, ...below('docs'), ...below('examples')]
}

let known
function pathsOfDocuments() {
  known ??= new Set(documents())
  return known
}

/** Returns the path of a document in the site. */
function pathOf(document) {
  if (OF_PROJECT.includes(document)) return `project/${document.toLowerCase()}`
  return document.replace(/^docs\//, '').replace(/README\.md$/, 'index.md')
}

/** A link to a folder leads to its README.md. */
function asDocument(target) {
  const file = inRoot(target)
  if (existsSync(file) && statSync(file).isDirectory()) return path.posix.join(target, 'README.md')
  return target
}

function linkIntoReadme(anchor) {
  if (anchor === '') return '/'
  const section = sectionsOfReadme().find(({ slugs }) => slugs.includes(anchor))
  if (!section) throw new Error(`README.md has no heading #${anchor}`)
  const isWhole = section.slug === anchor
  return `/reference/${section.slug}.md${isWhole ? '' : `#${anchor}`}`
}

function sectionsOfReadme() {
  const [, ...sections] = textOf('README.md').split(/^## /m)
  return sections.map((section) => {
    const [title] = section.split('\n', 1)
    const text = section.slice(title.length + 1)
    const below = Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading]) => slugOf(heading))
    return { title, slug: slugOf(title), slugs: [slugOf(title), ...below], text }
  })
}

/** Headings of a section that became a page are one level higher. */
const raised = (text) => text.replace(/^##(?=#* )/gm, '#')

/** The head of the first page is the beginning of README.md. */
function homeHead() {
  const [head] = textOf('README.md').split(/^## /m)
  return head
}

function withFiles(source, text) {
  return text.replace(SHOWN_FILE, (line, to) => {
    const file = path.posix.join(path.posix.dirname(source), to)
    if (!file.startsWith('examples/')) return line
    const language = { '.html': 'html', '.capnp': '' }[path.extname(file)] ?? 'js'
    return `\`${file}\`:\n\n\`\`\`${language}\n${textOf(file)}\`\`\``
  })
}

const textOf = (file) => readFileSync(inRoot(file), 'utf8')
