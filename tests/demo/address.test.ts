// A repository is opened by its address, from a server that hands out files.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Repository } from 'packlens'
import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import type { OpeningProgress } from '../../demo/src/repository/opened.ts'
import { listRefs } from '../../demo/src/repository/refs.ts'
import { formatSize } from '../../demo/src/text/format.ts'
import { startNginx } from '../../scripts/lib/nginx-server.mjs'
import { targetDir } from '../../scripts/lib/paths.mjs'
import { ALLOWS_PAGES, useFileServer } from './file-server.ts'
import { go, openFolder, useViewer, waitForRepository } from './viewer.ts'

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
  await openFolder(page, 'tiny')
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

test('while something takes long, the line at the bottom says what, and the share that arrived', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'served-'))
  const packs = serveOwnPack(folder)
  const slow = await startNginx([{ prefix: '/own.git/', folder, lines: ALLOWS_PAGES }])
  try {
    viewer.allow(slow.url)
    const page = await viewer.open(`?url=${encodeURIComponent(`${slow.url}/own.git`)}`)
    // The size of the packs is asked for after the first page.
    await page
      .locator('.status')
      .getByText(`of ${formatSize(packs)} read`)
      .waitFor()
    const release = await hold(page, /\.pack$/)
    await go(page, '#search/main?text=no+such+text')
    const running = page.locator('.status .running')
    await running
      .getByText(new RegExp(`^Search… \\d+ requests, .* of ${formatSize(packs)} received$`))
      .waitFor()
    release()
    await running.waitFor({ state: 'detached' })
  } finally {
    await slow.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Makes a served repository of the pack of the viewer's own page; returns the bytes of its pack. */
function serveOwnPack(folder: string): number {
  const own = path.join(targetDir, 'demo', 'repository')
  const { refs } = JSON.parse(readFileSync(path.join(own, 'refs.json'), 'utf8'))
  const [oid] = Object.values<string>(refs).filter((value) => /^[0-9a-f]{40}$/.test(value))
  const files = {
    HEAD: 'ref: refs/heads/main\n',
    'info/refs': `${oid}\trefs/heads/main\n`,
    'objects/info/packs': 'P pack-own.pack\n\n',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  const to = path.join(folder, 'objects', 'pack')
  mkdirSync(to)
  const copies = readdirSync(own).filter((name) => /\.(?:pack|idx)$/.test(name))
  for (const name of copies) {
    copyFileSync(path.join(own, name), path.join(to, `pack-own${path.extname(name)}`))
  }
  return copies.reduce((sum, name) => sum + statSync(path.join(own, name)).size, 0)
}

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
