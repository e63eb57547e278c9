// axe finds nothing on any kind of page, in light, dark and high contrast; each fits a narrow screen.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { expect, test } from 'vitest'
import { PAGES } from './page-kinds.ts'
import { openFolder, overflow, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

declare const window: Window & { axe: { run(): Promise<AxeResults> } }

const SETTINGS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'high contrast': { colorScheme: 'dark', contrast: 'more', forcedColors: 'active' },
} as const

test.each(Object.entries(SETTINGS))(
  'no page has faults that axe finds, and each fits 320 pixels: %s',
  async (_, settings) => {
    const page = await viewer.open()
    await page.emulateMedia({ ...settings, reducedMotion: 'reduce' })
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
      await page.setViewportSize({ width: 320, height: 700 })
      expect(await overflow(page), hash).toBe(0)
      await page.setViewportSize({ width: 1280, height: 720 })
    }
  },
)

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
