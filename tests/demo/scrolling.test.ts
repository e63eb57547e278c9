// A page is shown where it was left, if the browser's history leads back to it.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { go, goBack, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page
const y = () => page.evaluate(() => scrollY)

beforeEach(async () => {
  page = await viewer.open()
  await page.setViewportSize({ width: 800, height: 300 })
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
})

/** Waits until the page has its title, which it gets when it is scrolled: a moment after it is drawn. */
async function titled(title: string): Promise<void> {
  await expect.poll(() => page.title()).toBe(`${title} · project`)
}

async function scroll(to: number): Promise<void> {
  await page.evaluate((to) => scrollTo(0, to), to)
  await expect.poll(y).toBe(to)
}

test('going back leads to where a page was left, another page begins at its top', async () => {
  await go(page, '#/main/src/table.txt')
  await titled('table.txt')
  await scroll(5000)
  await go(page, '#/main/src/numbers.c')
  await titled('numbers.c')
  expect(await y()).toBe(0)
  await goBack(page)
  await titled('table.txt')
  await expect.poll(y).toBe(5000)
  await scroll(3000)
  await page.evaluate(() => history.forward())
  await titled('numbers.c')
  await goBack(page)
  await titled('table.txt')
  await expect.poll(y).toBe(3000)
})

test('a list that is read again is scrolled once its rows are there', async () => {
  await go(page, '#history/main')
  const end = page.locator('[aria-labelledby=history] .card-foot', { hasText: 'these are all' })
  await titled('History of main')
  await end.waitFor()
  await scroll(400)
  await go(page, '#refs')
  await titled('Branches and tags')
  await goBack(page)
  await end.waitFor()
  await expect.poll(y).toBe(400)
})

test('a reload leads to where the page was', async () => {
  const page = await viewer.open('#/HEAD/LICENSE-MIT', '.numbered')
  await page.setViewportSize({ width: 800, height: 200 })
  await expect.poll(() => page.title()).toMatch(/^LICENSE-MIT/)
  await page.evaluate(() => scrollTo(0, 150))
  await page.reload()
  await page.locator('.numbered').waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(150)
})
