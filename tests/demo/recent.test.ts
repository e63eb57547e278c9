// Folders that were opened are opened again, also by a link after a reload.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { openFolder as openFixture, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
const folder = inRoot('target', 'fixtures', 'project')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => statSync(path.join(folder, name)).isFile())
  .map((name) => [name.split(path.sep), readFileSync(path.join(folder, name), 'base64')] as const)

/**
 * Opens a folder of the browser's own file system, whose handles are those of real folders but for
 * the dialog, which no test can operate.
 */
async function openFolder(page: Page, name: string): Promise<void> {
  await page.evaluate(
    async ({ files, name }) => {
      const root = await navigator.storage.getDirectory()
      const top = await root.getDirectoryHandle(name, { create: true })
      for (const [names, content] of files) {
        let parent = top
        for (const part of names.slice(0, -1)) {
          parent = await parent.getDirectoryHandle(part, { create: true })
        }
        const file = await parent.getFileHandle(names.at(-1) ?? '', { create: true })
        const writable = await file.createWritable()
        await writable.write(Uint8Array.from(atob(content), (digit) => digit.charCodeAt(0)))
        await writable.close()
      }
      window.showDirectoryPicker = async () => top
    },
    { files, name },
  )
  await page.getByRole('button', { name: 'Open a folder…' }).click()
  await waitForRepository(page, name)
}

test('a link into a folder works after a reload', async () => {
  const page = await viewer.open()
  await openFolder(page, 'first')
  await page.locator('.files').getByRole('link', { name: 'src', exact: true }).click()
  await page.getByRole('link', { name: 'check.py' }).click()
  await page.locator('.numbered .text', { hasText: 'Checks the sums' }).waitFor()
  expect(page.url()).toMatch(/\?recent=1#\/main\/src\/check\.py$/)
  await page.reload()
  await page.locator('.numbered .text', { hasText: 'Checks the sums' }).waitFor()
  expect(await page.locator('.header h1').textContent()).toBe('first')
})

test('recently opened folders are listed, each once', async () => {
  const page = await viewer.open()
  await openFolder(page, 'first')
  await openFolder(page, 'second')
  await openFolder(page, 'first')
  const recent = page.getByLabel('Recently opened')
  await expect
    .poll(() => recent.locator('option').allTextContents())
    .toEqual(['Recently opened…', 'first', 'second'])
  await recent.selectOption('second')
  await waitForRepository(page, 'second')
  expect(page.url()).toContain('?recent=2')
})

test('the page asks for a click if the browser has to ask the user', async () => {
  const page = await viewer.open()
  await openFolder(page, 'first')
  await page.addInitScript(() => {
    const asked = {
      queryPermission: async () => 'prompt',
      requestPermission: async () => 'granted',
    }
    Object.assign(FileSystemHandle.prototype, asked)
  })
  await page.evaluate(() => {
    location.hash = '#/main/src'
  })
  await page.reload()
  await page.getByRole('button', { name: 'Open it again' }).click()
  await page.getByRole('link', { name: 'check.py' }).waitFor()
  expect(await page.locator('.header h1').textContent()).toBe('first')
})

test('the address of another repository is not kept for the next one', async () => {
  const page = await viewer.open()
  await openFolder(page, 'first')
  await openFixture(page, 'main')
  await waitForRepository(page, 'main')
  expect(page.url()).not.toContain('recent')
})
