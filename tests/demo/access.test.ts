// axe finds nothing on any kind of page, in light and in dark.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { expect, test } from 'vitest'
import { openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** Each kind of page, and what it shows when it is complete. */
const PAGES: readonly (readonly [hash: string, shown: string])[] = [
  ['#/main', '.markdown h1'],
  ['#/tag:v1.0/docs', '.files .change a'],
  ['#/main/src/numbers.c#L3-L5', '.chosen-lines'],
  ['#/main/README.md', '.markdown table'],
  ['#/main/docs/logo.png', '.image img'],
  ['#/main/data/utf16.txt', '.card-head'],
  ['#/main/part', '.card-head'],
  ['#blame/main/src/numbers.c', '[aria-busy=false] .blamed time'],
  ['#history/main', '.graph .dot'],
  ['#search/main?text=sum', 'mark'],
  ['#compare/older...main', '.diff'],
  ['#refs', '.refs .distance a'],
  ['#/main/no/such/file', '.failure'],
  ['#/no-such-branch', '.failure'],
]

declare const window: Window & { axe: { run(): Promise<AxeResults> } }

test.each(['light', 'dark'] as const)('no page has faults that axe finds: %s', async (scheme) => {
  const page = await viewer.open()
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
  const commit = await page.locator('.commits a').first().getAttribute('href')
  await page.evaluate(axe)
  for (const [hash, shown] of [...PAGES, [commit ?? '', '.patch .diff'] as const]) {
    await page.evaluate((to) => {
      location.hash = to
    }, hash)
    await page.locator(shown).first().waitFor()
    await page.locator('main:not(.busy)').waitFor()
    const { violations } = await page.evaluate(() => window.axe.run())
    const found = violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
    expect(found, hash).toEqual([])
  }
})

test.each([
  ['t', 'Find a file'],
  ['?', 'Keys'],
])('nor has the dialog of the key %s', async (key, name) => {
  const page = await viewer.open()
  await page.locator('body').press(key)
  await page.getByRole('dialog', { name }).waitFor()
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => window.axe.run())
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
})
