// The elements that README.md puts into the head of a page.
import { readFileSync } from 'node:fs'
import { inRoot } from './paths.mjs'

/** Returns the `<link>` elements, for a package that is served at `base`, such as `/dist/`. */
export function readmeHints(base) {
  const readme = readFileSync(inRoot('README.md'), 'utf8')
  const [, hints = ''] = /```html\n((?:<link .*>\n)+)```/.exec(readme) ?? []
  return hints.replaceAll('/packlens/', base)
}
