/** Pages of a built project, in a Chromium or a Firefox. */
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import type { BrowserName } from '../support/browsers.ts'
import { launchers } from '../support/browsers.ts'

/** The page of each project: it stores its answers, or the error, in the window. */
export const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="module" src="./page.js"></script>`

/** Returns the script of a page that first passes `given` to `load`, if anything. */
export function script(given = '', imports = ''): string {
  return `
import { load, open } from 'packlens'
import { readAll } from './read-all.js'
import { repository } from './repository.js'
${imports}
async function answer() {
  ${given && `await load(${given})`}
  return {
    page: await readAll(await open(repository)),
    worker: await readAll(await open(repository, { worker: true })),
  }
}
window.answer = answer().catch(({ name, code, message, cause }) => ({
  failed: { name, code, message, cause: cause && String(cause.message ?? cause) },
}))
`
}

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
}

export interface Site {
  readonly url: string
  close(): void
}

interface Served {
  /** The path at which the files are; `/` by default. */
  readonly base?: string
  /** Headers of every answer with a file. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Serves the files of a folder; a missing file may be the page, as on servers of single-page apps. */
export async function serve(
  folder: string,
  missing: 404 | 'page' = 404,
  { base = '/', headers = {} }: Served = {},
): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = pathname.slice(base.length)
    const file = path.join(folder, pathname.endsWith('/') ? `${name}index.html` : name)
    const isThere =
      pathname.startsWith(base) && statSync(file, { throwIfNoEntry: false })?.isFile() === true
    if (isThere) {
      const type = types[path.extname(file)] ?? 'application/octet-stream'
      response.writeHead(200, { 'Content-Type': type, ...headers }).end(readFileSync(file))
    } else if (missing === 'page') {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>')
    } else {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('nothing here')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}${base}`, close: () => server.close() }
}

/** Opens a page, and returns what `ask` finds in it: by default the answers in its window. */
export type OpenPage = (url: string, ask?: (page: Page) => Promise<unknown>) => Promise<unknown>

/** Starts a browser for the tests of a file. */
export function useBrowser({ timeout = 20_000, name = 'chromium' as BrowserName } = {}): OpenPage {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchers[name]()
  })
  afterAll(() => browser?.close())
  const answer = async (page: Page) => {
    await page.waitForFunction('window.answer', undefined, { timeout })
    return page.evaluate('window.answer')
  }
  return async (url, ask = answer) => {
    const context = await browser.newContext()
    try {
      const page = await context.newPage()
      const errors: string[] = []
      page.on('pageerror', ({ message }) => errors.push(message))
      await page.goto(url)
      return await ask(page).catch((cause) => {
        throw new Error(`the page has no answer: ${errors.join('; ')}`, { cause })
      })
    } finally {
      await context.close()
    }
  }
}
