// A repository is opened by its address, from a server that hands out files.
import { expect, test } from 'vitest'
import { useFileServer } from './file-server.ts'
import { useViewer, waitForRepository } from './viewer.ts'

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
