// What a page does with the room that a screen has.
import type { Locator, Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { go, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
})

function box(element: Locator) {
  return element.evaluate((found) => {
    const { top, bottom, width } = found.getBoundingClientRect()
    return { top, bottom, width }
  })
}

test('code and changes are as wide as the window of a wide screen', async () => {
  await page.setViewportSize({ width: 1700, height: 900 })
  await go(page, '#/main/src/check.py')
  await page.locator('.numbered').waitFor()
  // Beside the list of files.
  expect((await box(page.locator('.numbered'))).width).toBeGreaterThan(1300)
  await go(page, '#compare/older...main')
  await page.locator('.diff').first().waitFor()
  expect((await box(page.locator('.diff').first())).width).toBeGreaterThan(1600)
  // What opens another repository is beside the name of this one, not below it.
  expect((await box(page.locator('.header'))).bottom).toBeLessThan(100)
})

test('the name of what is read stays in view, and does not hide the chosen lines', async () => {
  await go(page, '#/main/src/table.txt#L300-L340')
  const head = page.locator('.card > .file-head')
  const lines = page.locator('.chosen-lines')
  await expect.poll(async () => (await box(head)).top).toBe(0)
  const { bottom } = await box(head)
  expect((await box(lines)).top).toBeGreaterThanOrEqual(bottom)
  // Lines that the head covers are brought into view.
  await page.evaluate(() => {
    const lines = document.querySelector('.chosen-lines')
    scrollBy(0, (lines?.getBoundingClientRect().bottom ?? 0) - 30)
  })
  await go(page, '#/main/src/table.txt#L340')
  await expect.poll(async () => (await box(lines)).top).toBeGreaterThanOrEqual(bottom)
  await go(page, '#compare/older...main')
  const patch = page.locator('.patch', { has: page.locator('.diff tr >> nth=20') }).first()
  await patch.evaluate((card) => scrollBy(0, card.getBoundingClientRect().top + 100))
  await expect.poll(async () => (await box(patch.locator('.card-head'))).top).toBe(0)
})

test('a narrow screen shows what opens another repository on request', async () => {
  const folder = page.getByRole('button', { name: 'Open a folder…' })
  const open = page.getByRole('button', { name: 'Open another repository' })
  await expect.poll(() => open.isVisible()).toBe(false)
  await page.setViewportSize({ width: 360, height: 700 })
  await expect.poll(() => folder.isVisible()).toBe(false)
  await open.click()
  await expect.poll(() => folder.isVisible()).toBe(true)
  expect(await open.getAttribute('aria-expanded')).toBe('true')
  // Its buttons have their words in one line each.
  await go(page, '#/main/src/check.py')
  await page.locator('.file-actions button').first().waitFor()
  const heights = page
    .locator('.file-actions button')
    .evaluateAll((found) => found.map((button) => button.getBoundingClientRect().height))
  expect(new Set(await heights).size).toBe(1)
})

test('a graph of many lanes leaves room for the text on a phone', async () => {
  await openFolder(page, 'walks')
  await waitForRepository(page, 'walks')
  await go(page, '#history/main/')
  const graph = page.locator('.graph').first()
  await graph.waitFor()
  expect((await box(graph)).width).toBeGreaterThan(60)
  await page.setViewportSize({ width: 390, height: 800 })
  await expect.poll(async () => (await box(graph)).width).toBeLessThanOrEqual(52)
  // The lines keep their places beside the dots.
  const drawn = await box(graph.locator('svg'))
  expect(drawn.width).toBeGreaterThan(60)
})
