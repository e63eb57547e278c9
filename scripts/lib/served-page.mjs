// Opens a page of Chromium that can import the files of this checkout.
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { launchChromium } from './browser.mjs'
import { inRoot } from './paths.mjs'

const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' }

/**
 * Opens an empty page whose server has the files of this checkout, and the bytes
 * `in `made` by their paths: `{ '/pack': bytes }`.` has by its path: `{ '/pack': bytes }`.
 */
export async function openServedPage(made) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const file = inRoot(...pathname.split('/').filter((part) => part !== '..'))
    response.setHeader('content-type', types[path.extname(pathname)] ?? 'text/html')
    const known = { '/': '<!doctype html>', ...made }[pathname]
    if (known === undefined && !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      return response.writeHead(404).end()
    }
    return response.end(known ?? readFileSync(file))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const browser = await launchChromium()
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    const close = async () => {
      await browser.close()
      server.close()
    }
    return { page, version: browser.version(), close }
  } catch (error) {
    server.close()
    throw error
  }
}
