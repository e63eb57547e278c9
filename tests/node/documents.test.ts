/** The documents of the repository: links and paths exist, and the map stays short. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { modulesPage, usesOfFolders } from '../../scripts/module-graph.mjs'
import { root } from './support.ts'

/** The most lines of the map, which is read before anything else. */
const MOST_LINES = 150

const text = (document: string) => readFileSync(path.join(root, document), 'utf8')

const documents = [
  ...readdirSync(root),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) =>
    path.join('docs', name),
  ),
].filter((name) => name.endsWith('.md'))

/** Returns the relative links of a document whose targets do not exist. */
function broken(document: string): string[] {
  const links = Array.from(text(document).matchAll(/\]\((?!https?:|#)([^)\s#]+)/g), ([, to]) => to)
  const folder = path.join(root, path.dirname(document))
  return links.filter((to): to is string => !existsSync(path.join(folder, to as string)))
}

describe('Documents', () => {
  test.each(documents)('%s links to existing files', (document) => {
    expect(broken(document)).toEqual([])
  })

  test('The map names only files and folders that exist', () => {
    const named = Array.from(
      text('ARCHITECTURE.md').matchAll(
        /`((?:crate|js|tests|scripts|benches|demo|tools)\/[\w./-]+)`/g,
      ),
      ([, file]) => file as string,
    )
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  })

  test('Explanations name only sources that exist', () => {
    const sources = ['crate', 'js'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }),
    )
    const pages = documents.filter((name) => /^docs\/(internals|decisions)\//.test(name))
    const named = pages.flatMap((page) => text(page).match(/\b[\w./-]+\.(?:rs|ts)\b/g) ?? [])
    expect(named.length).toBeGreaterThan(100)
    const exists = (name: string) =>
      existsSync(path.join(root, name)) ||
      sources.some((source) => `/${source}`.endsWith(`/${name}`))
    expect(named.filter((name) => !exists(name))).toEqual([])
  })

  test('docs/README.md lists every page, or the list that has it', () => {
    const listed = text('docs/README.md')
    const pages = documents.filter((name) => /^docs\/(?!(commands|decisions)\/|README)/.test(name))
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.filter((page) => !listed.includes(`](${page.slice('docs/'.length)})`))).toEqual([])
  })

  test('docs/guides/errors.md has a section for each code', () => {
    const [, codes = ''] = text('js/src/base/errors.ts').split('export type ErrorCode =')
    const declared = Array.from(codes.split('/** Where')[0]?.matchAll(/\| '(\w+)'/g) ?? [])
    const sections = Array.from(text('docs/guides/errors.md').matchAll(/^## (\w+)$/gm))
    const names = (found: RegExpMatchArray[]) => found.map(([, name]) => name).sort()
    expect(declared.length).toBeGreaterThan(10)
    expect(names(sections)).toEqual(names(declared))
  })

  test('The graph of modules is up to date: npm run graph', () => {
    expect(text('docs/module-graph.md')).toBe(modulesPage())
  })

  test('No folder of js/src uses one that uses it, directly or through others', () => {
    const uses = usesOfFolders()
    const usedBy = (folder: string) => uses.filter(({ from }) => from === folder)
    const reached = (folder: string) => {
      const found = new Set<string>()
      const waiting = [folder]
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const { to } of usedBy(next)) if (!found.has(to)) waiting.push(to)
        for (const { to } of usedBy(next)) found.add(to)
      }
      return found
    }
    const folders = new Set(uses.map(({ from }) => from))
    expect(folders.size).toBeGreaterThan(10)
    expect([...folders].filter((folder) => reached(folder).has(folder))).toEqual([])
  })

  test('The map has at most 150 lines', () => {
    expect(text('ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(MOST_LINES)
  })

  test('Every decision is listed with its title', () => {
    const folder = path.join(root, 'docs', 'decisions')
    const pages = readdirSync(folder).filter((name) => /^\d{3}-/.test(name))
    expect(pages.length).toBeGreaterThan(20)
    for (const page of pages) {
      const title = /^# \d+\. (.+)$/m.exec(text(path.join('docs/decisions', page)))?.[1]
      expect(text('docs/decisions/README.md')).toContain(`[${title}](${page})`)
    }
  })
})
