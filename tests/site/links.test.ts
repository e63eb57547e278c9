/** Every link of the built site leads to a page and a heading, or another file of it. */
import { expect, test } from 'vitest'
import { testBase } from '../../scripts/lib/site/build.mjs'
import { builtPages, isBuilt } from './site.ts'

const pages = builtPages()
const decoded = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
const idsOf = new Map(
  Array.from(pages, ([name, html]) => [
    name,
    new Set(Array.from(html.matchAll(/ id="([^"]*)"/g), ([, id = '']) => decoded(id))),
  ]),
)

/** Returns what is wrong with a link of a page, or `null`. */
function faultOf(name: string, href: string): string | null {
  const url = new URL(decoded(href), `http://site${testBase}${name}`)
  if (url.host !== 'site') return null
  if (!url.pathname.startsWith(testBase)) return 'outside of the base'
  const path = decodeURIComponent(url.pathname.slice(testBase.length))
  const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
  if (!isBuilt(file)) return 'no such file'
  const id = decodeURIComponent(url.hash.slice(1))
  return id === '' || !idsOf.has(file) || idsOf.get(file)?.has(id) ? null : 'no such heading'
}

test('No link is dead', () => {
  let count = 0
  const faults: string[] = []
  for (const [name, html] of pages) {
    for (const [, href = ''] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      count++
      const fault = faultOf(name, href)
      if (fault) faults.push(`${name}: ${href}: ${fault}`)
    }
  }
  expect(count).toBeGreaterThan(10_000)
  expect([...new Set(faults)]).toEqual([])
})

test('Every page is linked from another one', () => {
  const linked = new Set<string>()
  for (const [name, html] of pages) {
    for (const [, href = ''] of html.matchAll(/ href="([^"]+)"/g)) {
      const { pathname } = new URL(decoded(href), `http://site${testBase}${name}`)
      const to = decodeURIComponent(pathname.slice(testBase.length)).replace(
        /^$|\/$/,
        '$&index.html',
      )
      if (to !== name) linked.add(to)
    }
  }
  expect(pages.size).toBeGreaterThan(300)
  const alone = [...pages.keys()].filter((name) => !linked.has(name) && name !== '404.html')
  expect(alone).toEqual([])
})
