/** Each kind of page, in light and dark and on a phone; the search. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { useSite } from './site.ts'

const open = useSite()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** A page of each kind. */
const KINDS = [
  'index.html',
  'start/browser.html',
  'guides/bytes.html',
  'performance.html',
  'reference/the-api-in-short.html',
  'api/packlens/index.html',
  'api/packlens/interfaces/Repository.html',
  'api/packlens/interfaces/BlameOptions.html',
  'examples/edge-function/index.html',
]

declare const window: Window & { axe: { run(): Promise<AxeResults> } }

async function faultsOf(page: Page): Promise<unknown[]> {
  // Colors within a transition are no colors of the page.
  await page.waitForFunction(() => document.getAnimations().length === 0)
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => window.axe.run())
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])
}

describe.each(KINDS)('%s', (name) => {
  test.each(['light', 'dark'] as const)('has no faults that axe finds: %s', async (scheme) => {
    expect(await faultsOf(await open(name, { scheme }))).toEqual([])
  })

  test('fits the width of a phone', async () => {
    const page = await open(name, { width: 360 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})

test('The menu of a phone leads to other pages', async () => {
  const page = await open('index.html', { width: 360 })
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Memory', exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor()
})

test.each(['light', 'dark'] as const)(
  'The search finds a call without a server: %s',
  async (scheme) => {
    const page = await open('index.html', { scheme })
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('searchbox').fill('aheadBehind')
    const result = page.locator('.results a').first()
    await result.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await result.click()
    await page.locator('.vp-doc', { hasText: 'aheadBehind' }).waitFor()
  },
)
