// The code in the documents.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot } from '../paths.mjs'

/** Documents whose code is shown as something to run. */
const OF_ROOT = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md']

/** Returns the code of some languages, a regular expression, and where it is. */
export function snippetsIn(languages) {
  const code = new RegExp(`^\`\`\`(?:${languages})\\n(.*?)^\`\`\`$`, 'gms')
  return documents().flatMap((document) => {
    const whole = readFileSync(inRoot(document), 'utf8')
    return Array.from(whole.matchAll(code), ({ 1: text = '', index }) => {
      const before = whole.slice(0, index)
      const heading = Array.from(before.matchAll(/^#+ (.*)$/gm), ([, title]) => title).at(-1)
      return { document, heading, text, name: `${document}:${before.split('\n').length}` }
    })
  })
}

/** The languages of snippets that run. */
export const SCRIPTS = '[jt]s|\\w*script'

function documents() {
  const below = readdirSync(inRoot('docs'), { recursive: true, encoding: 'utf8' })
  const pages = below.filter((name) => name.endsWith('.md')).sort()
  return [...OF_ROOT, ...pages.map((name) => `docs/${name.replaceAll(path.sep, '/')}`)]
}
