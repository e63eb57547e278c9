// A path stays the same while its view or its revision changes, and a wrong one leads on.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { go, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
})

function choose(rev: string): Promise<string[]> {
  return page.getByLabel('Branch or tag').selectOption(rev)
}

test('another branch or tag shows the same path', async () => {
  await go(page, '#/main/docs/guide.md#L2')
  await page.locator('.chosen-lines').waitFor()
  await choose('older')
  await expect.poll(() => page.url()).toMatch(/#\/older\/docs\/guide\.md$/)
  await page.locator('.breadcrumbs b', { hasText: 'guide.md' }).waitFor()
  await go(page, '#history/main/src?text=sum')
  await choose('older')
  await expect.poll(() => page.url()).toMatch(/#history\/older\/src\?text=sum$/)
  // Of a page without a path it shows the files.
  await go(page, '#refs')
  await page.locator('.refs').first().waitFor()
  await choose('main')
  await expect.poll(() => page.url()).toMatch(/#\/main$/)
})

test('a path that a revision lacks leads to the folders above it, and to its history', async () => {
  await go(page, '#/main/src/sum.c')
  await page.getByText('src/sum.c does not exist in main.').waitFor()
  expect(await page.locator('.breadcrumbs a').allTextContents()).toEqual(['project', 'src'])
  await page.getByRole('link', { name: 'The history of this path' }).click()
  await page.getByRole('link', { name: 'Begin with a sum' }).waitFor()
})

test('the history of a file has the views of a file, that of a folder those of a folder', async () => {
  const tabs = () => page.locator('.tabs a').allTextContents()
  await go(page, '#history/main/src/numbers.c')
  await expect.poll(tabs).toEqual(['Code', 'Blame', 'History'])
  await go(page, '#history/main/src')
  await expect.poll(tabs).toEqual(['Files', 'History', 'Search'])
})
