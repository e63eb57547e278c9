// Beside a file the others of its revision are listed, where a screen has room.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { go, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
})

async function openFile(repository: string, hash: string): Promise<void> {
  await openFolder(page, repository)
  await waitForRepository(page, repository)
  await go(page, hash)
  await page.locator('.numbered').waitFor()
}

const tree = () => page.getByRole('navigation', { name: 'Files of this revision' })
const names = () => tree().locator('li > :is(a, button)').allTextContents()
const current = () => tree().locator('[aria-current=page]').allTextContents()

/** What `git ls-tree main` and `git ls-tree main src/` list, folders first. */
const TOP = ['data', 'docs', 'src', '.gitmodules', 'README.md', 'build.sh', 'part']
const SRC = ['check.py', 'numbers.c', 'table.txt']

test('the folders above the file are open, and other files are opened from the list', async () => {
  await openFile('project', '#/main/src/numbers.c')
  const [data = '', docs = '', src = '', ...files] = TOP
  await expect.poll(names).toEqual([data, docs, src, ...SRC, ...files])
  expect(await current()).toEqual(['numbers.c'])
  await tree().getByRole('button', { name: 'docs' }).click()
  await tree().getByRole('link', { name: 'guide.md' }).click()
  await page.locator('.breadcrumbs b', { hasText: 'guide.md' }).waitFor()
  expect(await current()).toEqual(['guide.md'])
  // What was opened before stays open.
  expect(await names()).toContain('numbers.c')
  await tree().getByRole('button', { name: 'src' }).click()
  await expect.poll(names).not.toContain('numbers.c')
})

test('the list can be hidden, which is kept, and needs a wide screen', async () => {
  await openFile('project', '#blame/main/src/numbers.c')
  await expect.poll(names).toContain('numbers.c')
  await tree().getByRole('button', { name: 'Files' }).click()
  await expect.poll(names).toEqual([])
  await go(page, '#/main/build.sh')
  await page.locator('.breadcrumbs b', { hasText: 'build.sh' }).waitFor()
  expect(await names()).toEqual([])
  await tree().getByRole('button', { name: 'Files' }).click()
  await expect.poll(names).toContain('build.sh')
  await page.setViewportSize({ width: 1000, height: 700 })
  await expect.poll(() => tree().count()).toBe(0)
})

test('of a large folder the entries around the file are listed, and the file is in view', async () => {
  await openFile('graphs', '#/main/many/500')
  await expect.poll(current).toEqual(['500'])
  const listed = (await names()).filter((name) => /^\d+$/.test(name))
  expect(listed.length).toBe(200)
  const isInView = () =>
    tree()
      .locator('[aria-current]')
      .evaluate((link) => {
        const list = link.closest('nav > div')?.getBoundingClientRect()
        const { top, bottom } = link.getBoundingClientRect()
        return list !== undefined && top >= list.top && bottom <= list.bottom
      })
  await expect.poll(isInView).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await tree().getByRole('link', { name: 'Show all 600 entries' }).click()
  await page.locator('.files').waitFor()
})
