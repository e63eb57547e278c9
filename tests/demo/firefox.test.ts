/** The viewer in Firefox: ways to open a repository, and each kind of page. */
import { expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { useFileServer } from './file-server.ts'
import { PAGES } from './page-kinds.ts'
import { go, openPacks, packOf, strangers, useViewer, waitForRepository } from './viewer.ts'
import { filesOf, openZip, zipOf } from './zips.ts'

const viewer = useViewer({ browser: 'firefox' })
const server = useFileServer(viewer)

// The protocol by which an unchanged Firefox is driven cannot choose a folder.
test('a zip file, and each kind of page', async () => {
  const page = await viewer.open()
  await openZip(page, 'project.zip', await zipOf(filesOf('project')))
  await waitForRepository(page, 'project')
  await page.getByText('a zip file, read from this computer').waitFor()
  const commit = await page.locator('.commits a').first().getAttribute('href')
  for (const [hash, shown] of [...PAGES, [commit ?? '', '.patch .diff'] as const]) {
    await go(page, hash)
    await page.locator('main:not(.busy)').waitFor()
    await page.locator(shown).first().waitFor()
    expect(await strangers(page), hash).toEqual([])
  }
})

// Here, because the Chromium of the tests lacks the data by which it searches for text.
test('text of a file that was never in view is found in the page', async () => {
  const page = await viewer.open()
  await openZip(page, 'project.zip', await zipOf(filesOf('project')))
  await waitForRepository(page, 'project')
  await page.setViewportSize({ width: 800, height: 300 })
  await go(page, '#/main/src/table.txt')
  await page.locator('.part').first().waitFor()
  const found = await page.evaluate(() => {
    const { find } = window as unknown as { find: (text: string) => boolean }
    return find.call(window, '698 1396')
  })
  expect(found).toBe(true)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(10_000)
})

test('a pack with its index, a pack alone, and a bundle', async () => {
  const page = await viewer.open()
  const { pack, idx } = packOf('tiny')
  for (const [files, about] of [
    [[pack, idx], 'a pack with its index'],
    [[pack], 'a pack, indexed here'],
    [[inRoot('target', 'fixtures', 'bundles', 'one.bundle')], 'a bundle, indexed here'],
  ] as const) {
    await openPacks(page, [...files])
    await page.getByText(about).waitFor()
    await page.locator('.commits li').first().waitFor()
  }
})

test('a repository on a server', async () => {
  const page = await viewer.open(`?url=${encodeURIComponent(`${server.url}/open/served.git`)}`)
  await waitForRepository(page, 'served')
  await page.locator('.commits li').first().waitFor()
})
