// The ways to open another repository.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { describedFolder, filesOf, storedFolder } from './dropped-folder.ts'
import { isFirefox, openFolder, openPacks, packOf, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()

test('a folder with .git, with all of its refs', async () => {
  const page = await viewer.open()
  await openFolder(page, 'worktree/repo')
  await waitForRepository(page, 'repo')
  // HEAD is detached in this fixture.
  await expect.poll(() => page.locator('option:checked').textContent()).toMatch(/^HEAD, detached/)
  await page.getByRole('link', { name: 'sub', exact: true }).waitFor()
  await page.getByLabel('Branch or tag').selectOption('main')
  await page.getByRole('link', { name: '.gitignore', exact: true }).waitFor()
})

test('a pack with its index, without refs', async () => {
  const page = await viewer.open()
  const { pack, idx } = packOf('hostile')
  await openPacks(page, [idx, pack])
  await waitForRepository(page, path.basename(pack))
  await page.getByText('a pack with its index').waitFor()
  await page.getByRole('link', { name: 'names', exact: true }).waitFor()
  expect(await page.locator('optgroup').first().getAttribute('label')).toBe('Tags')
  await page.locator('.commits li').nth(1).waitFor()
})

test('the index of a pack is used', async () => {
  const page = await viewer.open()
  const { pack, idx } = packOf('tiny')
  const index = readFileSync(idx)
  // The number of objects no longer fits the file.
  index.fill(0xff, 8 + 1020, 8 + 1024)
  const mimeType = 'application/octet-stream'
  await page.getByLabel('Pack and index').setInputFiles([
    { name: 'a.pack', mimeType, buffer: readFileSync(pack) },
    { name: 'a.idx', mimeType, buffer: index },
  ])
  await page.getByRole('alert').getByText('.idx at offset').waitFor()
})

test.each(['main', 'sha256'])('a pack alone: %s', async (fixture) => {
  const page = await viewer.open()
  const { pack } = packOf(fixture)
  await openPacks(page, [pack])
  await waitForRepository(page, path.basename(pack))
  await page.getByText('a pack, indexed here').waitFor()
  await page.locator('.commits li').first().waitFor()
})

test('a bundle, with its refs', async () => {
  const page = await viewer.open()
  await openPacks(page, [inRoot('target', 'fixtures', 'bundles', 'one.bundle')])
  await waitForRepository(page, 'one.bundle')
  await page.getByText('a bundle, indexed here').waitFor()
  await page.locator('.commits li').first().waitFor()
  // It has no HEAD.
  expect(await page.locator('option:checked').textContent()).toBe('side (HEAD)')
})

test('older commits are shown on request, by date', async () => {
  const page = await viewer.open()
  await openFolder(page, 'main')
  await waitForRepository(page, 'main')
  const items = page.locator('.commits li')
  await items.nth(19).waitFor()
  while (await page.getByRole('button', { name: 'Load more' }).isVisible()) {
    const before = await items.count()
    await page.getByRole('button', { name: 'Load more' }).click()
    await items.nth(before).waitFor()
  }
  const dates = await items
    .locator('time')
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''))
  expect(dates).toEqual([...dates].sort().reverse())
  // The number that `git rev-list --count main` prints.
  expect(await page.locator('.commits .card-foot').textContent()).toBe('54 commits: these are all.')
})

test('an empty repository is said to have no commits yet', async () => {
  const page = await viewer.open()
  await openFolder(page, 'empty')
  await waitForRepository(page, 'empty')
  await page.getByText('This repository is empty. main is the name').waitFor()
})

test('a branch without commits links to other refs', async () => {
  const page = await viewer.open()
  await openFolder(page, 'unborn')
  await waitForRepository(page, 'unborn')
  await page.getByText('nothing/yet is the name of the branch').waitFor()
  await page.getByRole('link', { name: 'another', exact: true }).click()
  await page.getByRole('link', { name: 'two.txt', exact: true }).waitFor()
})

test('a folder without a repository is an error, and the open repository stays', async () => {
  const page = await viewer.open()
  const before = await page.locator('.header h1').textContent()
  const { idx } = packOf('hostile')
  await openPacks(page, [idx])
  await page.getByRole('alert').getByText('choose the .pack file that belongs to it').waitFor()
  await openFolder(page, 'hostile/objects')
  await page.getByRole('alert').getByText('no git repository among the files').waitFor()
  const buffer = readFileSync(packOf('tiny').pack)
  buffer.fill(0x55, 40, 60)
  const mimeType = 'application/octet-stream'
  const broken = { name: 'broken.pack', mimeType, buffer }
  await page.getByLabel('Pack and index').setInputFiles(broken)
  await page.getByRole('alert').getByText('damaged, or is not a repository').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  expect(await page.locator('.header h1').textContent()).toBe(before)
  await page.locator('.files').getByRole('link', { name: 'README.md', exact: true }).waitFor()
})

test('a folder by its handle: the picker, and a drop', async () => {
  const page = await viewer.open()
  await putHandle(page, 'tiny')
  await page.getByRole('button', { name: 'Open a folder…' }).click()
  await waitForRepository(page, 'tiny')
  await page.getByRole('link', { name: 'longer.txt', exact: true }).waitFor()

  await putHandle(page, 'empty')
  await page.evaluate(() => {
    const item = { kind: 'file', getAsFileSystemHandle: () => window.showDirectoryPicker() }
    const event = new DragEvent('drop', { cancelable: true })
    const dataTransfer = { types: ['Files'], items: [item], files: [] }
    Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
    dispatchEvent(event)
  })
  await waitForRepository(page, 'empty')
  await page.getByRole('heading', { name: 'No commits yet' }).waitFor()
})

test('a folder by a drop, in browsers that give no handle for it', async () => {
  const page = await viewer.open()
  const names = filesOf('tiny')
  const folder = await (isFirefox ? describedFolder(page, names) : storedFolder(page, names))
  await folder.evaluate((top) => {
    const item = { kind: 'file', webkitGetAsEntry: () => top }
    const event = new DragEvent('drop', { cancelable: true })
    const dataTransfer = { types: ['Files'], items: [item], files: [] }
    Object.defineProperty(event, 'dataTransfer', { value: dataTransfer })
    dispatchEvent(event)
  })
  await waitForRepository(page, 'plain')
  await page.getByRole('link', { name: 'longer.txt', exact: true }).waitFor()
})

test('a browser that keeps no folder says so', async () => {
  const page = await viewer.open()
  await page.getByRole('button', { name: 'Open a folder…' }).waitFor()
  expect(await page.getByText('This browser keeps no folder').count()).toBe(isFirefox ? 1 : 0)
})

test('packs by a drop, which the page announces', async () => {
  const page = await viewer.open()
  const { pack } = packOf('tiny')
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(bytes)], 'dropped.pack'))
      return transfer
    },
    Array.from(readFileSync(pack)),
  )
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: data })
  await page.getByText('Drop a folder with a repository').waitFor()
  await page.dispatchEvent('main', 'drop', { dataTransfer: data })
  await waitForRepository(page, 'dropped.pack')
  await page.getByText('Drop a folder with a repository').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'longer.txt', exact: true }).waitFor()
})

declare global {
  interface Window {
    showDirectoryPicker(): Promise<FileSystemDirectoryHandle>
  }
}

/** Makes the folder picker return a copy of a fixture in the origin private file system. */
async function putHandle(page: Page, fixture: string): Promise<void> {
  await page.evaluate(
    async ([name, entries]) => {
      const root = await navigator.storage.getDirectory()
      const top = await root.getDirectoryHandle(name, { create: true })
      for (const { parts, bytes } of entries) {
        let at = top
        const last = parts.pop() ?? ''
        for (const part of parts) at = await at.getDirectoryHandle(part, { create: true })
        if (bytes === null) {
          await at.getDirectoryHandle(last, { create: true })
          continue
        }
        const file = await at.getFileHandle(last, { create: true })
        const writable = await file.createWritable()
        await writable.write(Uint8Array.from(bytes))
        await writable.close()
      }
      window.showDirectoryPicker = async () => top
    },
    [fixture, filesOf(fixture)] as const,
  )
}

test('each repository is read in a worker, which ends with it', async () => {
  const page = await viewer.open()
  // The worker that colors code stays.
  const workers = () => page.workers().filter((worker) => worker.url().includes('packlens-worker'))
  expect(workers()).toHaveLength(1)
  const [first] = workers()
  await openFolder(page, 'main')
  await waitForRepository(page, 'main')
  await expect.poll(() => workers().length).toBe(1)
  expect(workers()[0]).not.toBe(first)
})
