/** Requests that fail while something is loaded: the page says so, and goes on once there is a network. */
import type { Page, Route } from 'playwright'
import { expect, test } from 'vitest'
import { go, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()

/** Fails the requests that match, until the function that it returns is called. */
async function cut(page: Page, requests: RegExp): Promise<() => Promise<void>> {
  await page.route(requests, (route: Route) => route.abort('internetdisconnected'))
  return () => page.unroute(requests)
}

/** Opens the page with requests that fail; returns it, and what lets them through again. */
async function openCut(requests: RegExp, shown: string) {
  let restore = async () => {}
  const page = await viewer.open('', shown, async (page) => {
    restore = await cut(page, requests)
  })
  return { page, restore }
}

/** Opens a folder, and a page that needs the full module. */
async function expectWorks(page: Page): Promise<void> {
  await openFolder(page, 'project')
  await expectOpened(page)
}

/** The folder is opened once: a second opening would leave the page that is asked for here. */
async function expectOpened(page: Page): Promise<void> {
  await waitForRepository(page, 'project')
  await page.locator('.files .change a').first().waitFor()
  await go(page, '#history/main')
  await page.locator('.graph .dot').first().waitFor()
  expect(await page.locator('.failure, .note.error').count()).toBe(0)
  expectFailedRequests()
}

/** The console says which requests failed, and nothing else. */
function expectFailedRequests(): void {
  for (const fault of viewer.takeFaults()) expect(fault).toContain('net::ERR_')
}

test.each([/refs\.json/, /history\.pack/, /history\.idx/])(
  'the first repository: %s',
  async (name) => {
    const { page, restore } = await openCut(name, '.failure')
    await page.getByText('A part of this page could not be loaded').waitFor()
    await restore()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expectWorks(page)
  },
)

test.each([/packlens-worker-/, /packlens_reader/])('to open a folder: %s', async (name) => {
  const { page, restore } = await openCut(name, '.failure')
  await page.locator('.failure', { hasText: 'NETWORK: ' }).waitFor()
  await restore()
  await expectWorks(page)
})

test('the full module: pages that do not need it are shown, others once it can be loaded', async () => {
  // From the beginning: the worker of a folder gets what that of the first repository has loaded.
  const { page, restore } = await openCut(/packlens_bg/, 'main section')
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
  await page.locator('.commits li').first().waitFor()
  await go(page, '#history/main')
  await page.getByRole('alert').getByText('the full module, which did not load').waitFor()
  await go(page, '#blame/main/src/numbers.c')
  await page.getByRole('alert').getByText('the full module, which did not load').waitFor()
  await go(page, '#/main/src/numbers.c')
  await page.locator('.numbered').waitFor()
  await restore()
  await go(page, '#history/main')
  await page.locator('.graph .dot').first().waitFor()
  await go(page, '#/main')
  await page.locator('.files .change a').first().waitFor()
  expectFailedRequests()
})

// Older browsers remember a script that could not be loaded; Chromium 156 asks for it again.
test('the script that starts workers: the folder opens, or the page asks to be reloaded', async () => {
  const { page, restore } = await openCut(/packlens-workers-/, '.failure')
  await restore()
  await openFolder(page, 'project')
  const asks = page.locator('.failure', { hasText: 'Reload the page' })
  const opened = page.locator('.files .change a')
  await asks.or(opened).first().waitFor()
  if ((await opened.count()) > 0) return expectOpened(page)
  await page.reload()
  await expectWorks(page)
})

test('the renderer of Markdown: the text is shown as it is written', async () => {
  const { page, restore } = await openCut(/render-/, 'main section')
  await openFolder(page, 'project')
  await page.locator('pre.prose', { hasText: '## How it works' }).waitFor()
  await restore()
  await go(page, '#history/main')
  await page.locator('.graph .dot').first().waitFor()
  expectFailedRequests()
})
