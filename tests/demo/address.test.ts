// A repository is opened by its address, from a server that hands out files.
import path from 'node:path'
import type { Repository } from 'packlens'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { OpeningProgress } from '../../demo/src/repository/opened.ts'
import { listRefs } from '../../demo/src/repository/refs.ts'
import { useFileServer } from './file-server.ts'
import { fixtures, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
const server = useFileServer(viewer)

test('the address of the page names a repository, and a path in it', async () => {
  const address = encodeURIComponent(`${server.url}/open/served.git`)
  const page = await viewer.open(`?url=${address}#/main/folder`)
  await waitForRepository(page, 'served')
  await page.getByRole('link', { name: '4.txt', exact: true }).waitFor()
  expect(await page.locator('.header').textContent()).toContain('read from 127.0.0.1')
  await page.reload()
  await page.getByRole('link', { name: '4.txt', exact: true }).waitFor()
})

test('an address can be entered', async () => {
  const page = await viewer.open('#/HEAD/README.md')
  await page.getByLabel('Address of a repository').fill(`${server.url}/open/served.git/`)
  await page.keyboard.press('Enter')
  await waitForRepository(page, 'served')
  await page.getByRole('link', { name: 'folder', exact: true }).waitFor()
  expect(page.url()).toMatch(/\?url=http%3A%2F%2F127.*#\/HEAD/)
})

test('a server that does not let the page read it is explained', async () => {
  const address = encodeURIComponent(`${server.url}/closed/served.git`)
  const page = await viewer.open(`?url=${address}`, '.failure')
  await page.getByText('Access-Control-Allow-Origin').waitFor()
  // The browser itself reports what it refused.
  const refused = /CORS|net::ERR_FAILED/
  expect(viewer.takeFaults().filter((fault) => !refused.test(fault))).toEqual([])
})

test('an address that leads nowhere, or is none, is explained', async () => {
  const nowhere = encodeURIComponent(`${server.url}/open/nothing.git`)
  const page = await viewer.open(`?url=${nowhere}`, '.failure')
  expect(await page.locator('.failure').textContent()).toContain('nothing.git')
  const other = await viewer.open('?url=javascript:alert(1)', '.failure')
  await other.getByText('is not an address of a web server').waitFor()
  expect(viewer.takeFaults().filter((fault) => !fault.includes('404'))).toEqual([])
})

/** Holds requests of a page until the test lets them go. */
async function hold(page: Page, requests: RegExp): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(requests, async (route) => {
    await held
    // Those of a repository that was closed are gone.
    await route.continue().catch(() => {})
  })
  return release
}

test('while a server has not answered, opening says so, and is canceled', async () => {
  const address = encodeURIComponent(`${server.url}/open/served.git`)
  const page = await viewer.open(`?url=${address}`, '.opening', async (page) => {
    await hold(page, /\/open\/served\.git\//)
  })
  await page.locator('.opening').getByText('served: asking its server what it has').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.opening').waitFor({ state: 'detached' })
  expect(await page.locator('.failure').count()).toBe(0)
  // The page works: another repository is opened.
  await page.getByLabel('Folder of a repository').setInputFiles(path.join(fixtures, 'tiny'))
  await waitForRepository(page, 'tiny')
})

test('while the first page is read, it says what has arrived', async () => {
  const address = encodeURIComponent(`${server.url}/open/served.git`)
  let release = () => {}
  // What is in the commit of the branch `side` is loose: a request each.
  const page = await viewer.open(`?url=${address}#/side`, 'main .note', async (page) => {
    release = await hold(page, /objects\/(1f|b6)\//)
  })
  const note = page.locator('main .note', { hasText: 'Reading…' })
  await note.getByText(/\d+ requests, [\d.]+ \w+ received/).waitFor()
  release()
  await page.locator('.files tbody tr').first().waitFor()
})

test('listing branches reports how many, and what has arrived', async () => {
  const repo = {
    refs: {
      async *list() {
        yield { name: 'refs/heads/main', oid: 'a'.repeat(40) }
      },
    },
    stats: () => ({ requests: 5, receivedBytes: 4096 }),
  } as unknown as Repository
  const reports: OpeningProgress[] = []
  const refs = await listRefs(repo, { onProgress: (progress) => reports.push(progress) })
  expect(refs.map(({ rev }) => rev)).toEqual(['main'])
  expect(reports[0]).toEqual({ phase: 'refs', done: 0, total: 0, requests: 5, received: 4096 })
})
