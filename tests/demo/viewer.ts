/** Opens the built demo in a browser, and records everything that a page must not do. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Locator, Page } from 'playwright'
import type { Plugin } from 'vite'
import { preview } from 'vite'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { inRoot, targetDir } from '../../scripts/lib/paths.mjs'
import type { BrowserName } from '../support/browsers.ts'
import { currentBrowser, launchers } from '../support/browsers.ts'

export interface Viewer {
  /**
   * Opens the page, at a route such as `#/main/src`; waits until content, or `shown`, is shown.
   * `prepare` is called before the page is loaded.
   */
  open(hash?: string, shown?: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page>
  /**
   * Returns a page in which a fixture's folder is opened, where that begins: that of the test
   * before, unless it failed. For tests that only go from page to page.
   */
  openOnce(folder: string): Promise<Page>
  /** Does not record requests to another server from now on. */
  allow(url: string): void
  /** Returns the records and clears them: for tests that provoke some. */
  takeFaults(): string[]
}

export interface Server {
  readonly url: string
  close(): Promise<void>
}

export const isFirefox = currentBrowser() === 'firefox'

/** The folder of the fixtures. */
export const fixtures = inRoot('target', 'fixtures')

interface ViewerOptions {
  readonly serve?: () => Promise<Server>
  readonly browser?: BrowserName
}

/**
 * The browsers that run. One serves all files of a worker of vitest, and ends with it: each test has a
 * context of its own, and launching a browser takes longer than many a test.
 */
const browsers = new Map<BrowserName, Promise<Browser>>()

async function browserOf(name: BrowserName): Promise<Browser> {
  const running = await browsers.get(name)
  if (running?.isConnected()) return running
  const launched = launchers[name]()
  browsers.set(name, launched)
  return launched
}

/** Starts a server for the tests of a file, and a browser unless one runs. */
export function useViewer({
  serve = serveBuilt,
  browser: name = currentBrowser(),
}: ViewerOptions = {}): Viewer {
  let server: Server
  let browser: Browser
  const pages: Page[] = []
  let kept: { page: Page; start: string } | null = null
  const faults: string[] = []
  const allowed = ['blob:']

  beforeAll(async () => {
    server = await serve()
    browser = await browserOf(name)
  })
  afterEach(async ({ task }) => {
    const hasFailed = task.result?.state === 'fail'
    for (const page of pages.splice(0)) {
      // What the tricks of a repository would set: tests/fixtures/repositories/tricks.sh.
      const canary = await page.evaluate(() => (globalThis as { canary?: unknown }).canary)
      if (canary !== undefined) faults.push(`canary: ${canary}`)
      if (page === kept?.page && !hasFailed && faults.length === 0) continue
      if (page === kept?.page) kept = null
      await page.context().close()
    }
    expect(faults.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await kept?.page.context().close()
    await server?.close()
  })

  const open: Viewer['open'] = async (hash = '', shown = 'main section', prepare) => {
    const context = await browser.newContext()
    // Also tabs that the page opens.
    context.on('page', (page) => noteFaults(page, [server.url, ...allowed], faults))
    const page = await context.newPage()
    page.setDefaultTimeout(isFirefox ? 12_000 : 30_000)
    pages.push(page)
    await prepare?.(page)
    await page.goto(server.url + hash)
    await page.locator(shown).first().waitFor()
    return page
  }

  return {
    open,
    async openOnce(folder) {
      if (kept) {
        pages.push(kept.page)
        await go(kept.page, kept.start)
        await kept.page.locator('main:not(.busy)').waitFor()
        return kept.page
      }
      const page = await open()
      await openFolder(page, folder)
      await waitForRepository(page, folder)
      await page.locator('main:not(.busy)').waitFor()
      kept = { page, start: new URL(page.url()).hash }
      return page
    },
    allow: (url) => allowed.push(url),
    takeFaults: () => faults.splice(0),
  }
}

/** Dialogs, requests to other servers, and all that the console says: errors, violations of the policy. */
function noteFaults(page: Page, allowed: readonly string[], faults: string[]): void {
  page.on('dialog', async (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('request', (request) => {
    const isAllowed = allowed.some((url) => request.url().startsWith(url))
    if (!isAllowed) faults.push(`request: ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The development server says there that it is connected.
    if (message.type() !== 'debug') faults.push(`console: ${message.text()}`)
  })
}

/** Sends files as they are: compressing the pack took a third of a second for each page. */
const uncompressed: Plugin = {
  name: 'uncompressed',
  configurePreviewServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      delete request.headers['accept-encoding']
      next()
    })
  },
}

/** Serves the built viewer; at any port by default. */
export async function serveBuilt(port = 0): Promise<Server> {
  const outDir = path.join(targetDir, 'demo')
  if (!existsSync(outDir)) throw new Error('the demo is not built: run npm test -- demo')
  const server = await preview({
    root: inRoot('demo'),
    build: { outDir },
    preview: { host: '127.0.0.1', port, strictPort: port > 0 },
    plugins: [uncompressed],
    logLevel: 'silent',
  })
  const url = server.resolvedUrls?.local[0]
  if (!url) throw new Error('the server has no address')
  return { url, close: () => server.close() }
}

/** The paths of a fixture's pack and its index. */
export function packOf(fixture: string): { pack: string; idx: string } {
  const folder = path.join(fixtures, fixture, 'objects', 'pack')
  const name = readdirSync(folder).find((file) => file.endsWith('.pack'))
  if (!name) throw new Error(`${fixture} has no pack`)
  const pack = path.join(folder, name)
  return { pack, idx: pack.replace(/pack$/, 'idx') }
}

/** Opens a fixture, or another folder, through `<input webkitdirectory>`. */
export async function openFolder(page: Page, folder: string): Promise<void> {
  // Not by its name, which depends on the language.
  const input = page.locator('input[webkitdirectory]')
  const root = path.resolve(fixtures, folder)
  if (isFirefox) await putFolder(input, root)
  else await input.setInputFiles(root)
}

/**
 * Gives the files of a folder to the input of Firefox. The protocol by which an unchanged Firefox is
 * driven cannot choose a folder, so the files are made in the page, with the paths that a choice gives them.
 */
async function putFolder(input: Locator, root: string): Promise<void> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => [
      [path.basename(root), ...path.relative(root, file).split(path.sep)].join('/'),
      readFileSync(file, 'base64'),
    ])
  await input.evaluate((element, files) => {
    const made = files.map(([name = '', content = '']) => {
      const bytes = Uint8Array.from(atob(content), (digit) => digit.charCodeAt(0))
      const file = new File([bytes], name.split('/').at(-1) ?? '')
      return Object.defineProperty(file, 'webkitRelativePath', { value: name })
    })
    Object.defineProperty(element, 'files', { value: made, configurable: true })
    element.dispatchEvent(new Event('change', { bubbles: true }))
  }, files)
}

export async function openPacks(page: Page, files: string[]): Promise<void> {
  await page.getByLabel('Pack and index').setInputFiles(files)
}

/** Waits for the heading that names the repository. */
export async function waitForRepository(page: Page, name: string): Promise<void> {
  await page.locator('.header').getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** Goes to a route, such as `#/main/src`; returns once the page knows, and `main` is busy with it. */
export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate(async (to) => {
    const before = location.href
    const changed = new Promise((resolve) => {
      addEventListener('hashchange', () => setTimeout(resolve), { once: true })
    })
    location.hash = to
    if (location.href !== before) await changed
  }, hash)
}

/** Goes back; the protocol of Firefox reports no end of that if only the fragment of the address changes. */
export async function goBack(page: Page): Promise<void> {
  await page.evaluate(() => {
    const changed = new Promise((resolve) => {
      addEventListener('popstate', () => setTimeout(resolve), { once: true })
    })
    history.back()
    return changed
  })
}

/** Returns how much wider the page is than the window, of which some is kept for a scroll bar. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { documentElement } = document
    return documentElement.scrollWidth - documentElement.getBoundingClientRect().width
  })
}

/** Returns the elements that only the content of a repository can have made. */
export async function strangers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const own = ':not(.icon):not(.icon *):not(.graph svg)'
    const elements = `script, svg${own}, iframe, object, embed, style, link, meta, base, b > b`
    const loads = 'form:not([aria-label]), img:not([src^="blob:"]), [href^="javascript:" i]'
    const found = document.querySelectorAll(`#app :is(${elements}, ${loads})`)
    const all = document.querySelectorAll('#app *')
    const scripted = Array.from(all).filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')),
    )
    return [...found, ...scripted].map((element) => element.outerHTML)
  })
}
