/** The viewer after the network is gone: what was loaded works, and the rest says that it cannot. */
import type { Page, Route } from 'playwright'
import { afterEach, expect, test } from 'vitest'
import { useFileServer } from './file-server.ts'
import type { Server } from './viewer.ts'
import { go, openFolder, serveBuilt, useViewer } from './viewer.ts'
import { filesOf, openZip, zipOf } from './zips.ts'

/** The server of the page: some tests end it, and begin it again at its address. */
let site: Server
let isCut = false
const viewer = useViewer({
  async serve() {
    site = await serveBuilt()
    return { url: site.url, close: () => site.close() }
  },
})
const server = useFileServer(viewer)

async function cutNetwork(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await site.close()
  isCut = true
}

/** Serves the viewer again, if a test has ended its server. */
async function restoreServer(): Promise<void> {
  if (isCut) site = await serveBuilt(Number(new URL(site.url).port))
  isCut = false
}
afterEach(restoreServer)

/** Fails a request as a network that is cut does. */
const cut = (route: Route) => route.abort('internetdisconnected')

/** The console says which requests failed, and nothing else. */
function expectFailedRequests(): void {
  for (const fault of viewer.takeFaults()) expect(fault).toContain('net::ERR_')
}

test('a local repository is read, by all that was loaded', async () => {
  const page = await viewer.open()
  await openFolder(page, 'project')
  await page.locator('.markdown h1', { hasText: 'Numbers' }).waitFor()
  await page.locator('.files .change a').first().waitFor()
  await go(page, '#history/main')
  await page.locator('.graph .dot').first().waitFor()
  const commit = await page.locator('.commits a').first().getAttribute('href')
  await cutNetwork(page)
  for (const [hash, shown] of [
    ['#/main/src/numbers.c', '.numbered'],
    ['#/main/README.md', '.markdown table'],
    ['#blame/main/src/numbers.c', 'section[aria-busy=false] .blamed time'],
    ['#search/main?text=sum', 'mark'],
    ['#compare/older...main', '.diff'],
    ['#refs', '.refs .distance a'],
    [commit ?? '', '.patch .diff'],
  ] as const) {
    await go(page, hash)
    await page.locator(shown).first().waitFor()
  }
  await openZip(page, 'other.zip', await zipOf(filesOf('tiny')))
  const alert = page.getByRole('alert')
  await alert.getByText('A part of this page could not be loaded').waitFor()
  expect(await alert.textContent()).toContain('What was shown before still works.')
  expectFailedRequests()
})

test('a page whose code was not loaded says so, and others are shown', async () => {
  const views = '**/assets/more-*.js'
  const page = await viewer.open('', 'main section', (page) => page.route(views, cut))
  await openFolder(page, 'project')
  await page.locator('.markdown h1', { hasText: 'Numbers' }).waitFor()
  // A dialog is a part of that code.
  await page.locator('body').press('t')
  await page.locator('.failure', { hasText: 'A part of this page could not be loaded' }).waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.locator('.failure').waitFor({ state: 'detached' })
  await go(page, '#history/main')
  await page.locator('.failure', { hasText: 'A part of this page could not be loaded' }).waitFor()
  await go(page, '#/main/src')
  await page.locator('.files').getByRole('link', { name: 'numbers.c', exact: true }).waitFor()
  await go(page, '#/main/src/numbers.c')
  await page.locator('.failure', { hasText: 'Reload the page' }).waitFor()
  await go(page, '#history/main')
  await page.locator('.failure', { hasText: 'Reload the page' }).waitFor()
  await page.unroute(views)
  await page.reload()
  await page.locator('.commits').first().waitFor()
  expectFailedRequests()
})

test('once a folder is shown, the views of all other pages are loaded', async () => {
  const page = await viewer.open()
  await openFolder(page, 'project')
  await page.locator('.markdown h1', { hasText: 'Numbers' }).waitFor()
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/more-')),
  )
  await page.route('**/assets/*.js', cut)
  await go(page, '#/main/src/check.py')
  await page.locator('.numbered').waitFor()
  await go(page, '#/main/docs/logo.png')
  await page.locator('.image img').waitFor()
  expectFailedRequests()
})

test('a repository on a server says that there is no network, and is read again once there is', async () => {
  const address = encodeURIComponent(`${server.url}/open/served.git`)
  const page = await viewer.open(`?url=${address}`)
  // The full module has found this, so that nothing is loading when the network is cut.
  await page.locator('.files .change a').waitFor()
  await page.locator('.commits', { hasText: 'these are all' }).waitFor()
  await go(page, '#/HEAD/folder')
  await page.locator('.files .change a').nth(3).waitFor()
  await page.context().setOffline(true)
  await go(page, '#/HEAD')
  await page.locator('.files').getByRole('link', { name: 'folder', exact: true }).waitFor()
  // Its objects are loose: a request each.
  await go(page, '#/side')
  await page.locator('.failure', { hasText: 'There is no network' }).waitFor()
  await page.context().setOffline(false)
  await go(page, '#/HEAD')
  await page.locator('.failure').waitFor({ state: 'detached' })
  await go(page, '#/side')
  await page.locator('.files tbody tr').first().waitFor()
  await page.locator('.failure').waitFor({ state: 'detached' })
  expectFailedRequests()
})
