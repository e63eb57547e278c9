#!/usr/bin/env node
// Measures how long an empty page takes to show a file of a repository on a server: with the
// reader, with the reader named in the page's head, and with the full module only. nginx serves,
// and the browser slows the network down.
//
//   npm run bench:page -- --git-dir DIR [--file HEAD:README.md] [--runs 9] [--mbit 10] [--latency 40]
//                         [--requests]   prints when each request of the last page began and ended
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { launchChromium } from '../scripts/lib/browser.mjs'
import { startNginx } from '../scripts/lib/nginx-server.mjs'
import { distDir } from '../scripts/lib/paths.mjs'
import { readmeHints } from '../scripts/lib/readme-hints.mjs'
import { gitDirOf } from './lib/git-dir.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    file: { type: 'string', default: 'HEAD:README.md' },
    runs: { type: 'string', default: '9' },
    mbit: { type: 'string', default: '10' },
    latency: { type: 'string', default: '40' },
    requests: { type: 'boolean', default: false },
  },
})
const gitDir = gitDirOf(values, 'bench:page')

const pages = {
  reader: { head: '', load: '' },
  'reader, named in the head': { head: readmeHints('/dist/'), load: '' },
  full: { head: '', load: "await load({ preload: 'full' })" },
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-page-'))
const closing = [() => rmSync(folder, { recursive: true, force: true })]
const requests = {}
try {
  const base = await serve()
  const browser = await launchChromium()
  closing.push(() => browser.close())
  const names = Object.keys(pages)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  await once(browser, `${base}/0.html`)
  for (let run = 0; run < Number(values.runs); run++) {
    for (const [at, name] of names.entries()) {
      const { milliseconds, size, ...rest } = await once(browser, `${base}/${at}.html`)
      if (!(size > 0)) throw new Error('the page read nothing')
      times[name].push(milliseconds)
      requests[name] = rest.requests
    }
  }
  for (const name of names) print(name, times[name], requests[name])
} finally {
  for (const close of closing.reverse()) await close()
}

/** Serves the pages, the package compressed once, and the repository; returns the address. */
async function serve() {
  const packed = path.join(folder, 'dist')
  mkdirSync(path.join(packed, 'wasm'), { recursive: true })
  for (const name of ['.', 'wasm'].flatMap((of) => filesIn(of))) {
    writeFileSync(
      path.join(packed, name),
      gzipSync(readFileSync(path.join(distDir, name)), { level: 9 }),
    )
  }
  for (const [at, { head, load }] of Object.values(pages).entries()) {
    writeFileSync(path.join(folder, `${at}.html`), page(head, load))
  }
  const types = 'types { text/html html; text/javascript js; application/wasm wasm; }'
  const { url, stop } = await startNginx([
    { prefix: '/dist/', folder: packed, lines: [types, 'add_header Content-Encoding gzip;'] },
    { prefix: '/repo/', folder: path.resolve(gitDir) },
    { prefix: '/', folder, lines: [types] },
  ])
  closing.push(stop)
  return url
}

function filesIn(of) {
  const names = readdirSync(path.join(distDir, of), { withFileTypes: true })
  const published = names.filter(
    (file) => file.isFile() && /^packlens.*\.(js|wasm)$/.test(file.name),
  )
  return published.map(({ name }) => path.join(of, name))
}

/** The page: everything starts with its script. */
function page(head, load) {
  return `<!doctype html><link rel="icon" href="data:,">${head}<script type="module">
  import { load, open } from '/dist/packlens.js'
  ${load}
  const repo = await open(new URL('/repo/', location.href))
  const { size } = await repo.readBlob(${JSON.stringify(values.file)})
  document.title = performance.now() + ' ' + size
</script>`
}

async function once(browser, url) {
  // A new context has no cache.
  const context = await browser.newContext()
  const tab = await context.newPage()
  const session = await context.newCDPSession(tab)
  await session.send('Network.enable')
  const throughput = (Number(values.mbit) * 1e6) / 8
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: Number(values.latency),
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  })
  await tab.goto(url)
  await tab.waitForFunction(() => document.title !== '', undefined, { timeout: 60_000 })
  const [milliseconds, size] = (await tab.title()).split(' ').map(Number)
  const requests = await tab.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name, startTime, responseEnd, encodedBodySize }) => {
        return [Math.round(startTime), Math.round(responseEnd), encodedBodySize, name]
      }),
  )
  await context.close()
  return { milliseconds, size, requests }
}

function print(name, times, requests) {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)])
  console.log(`${name.padEnd(26)} median ${at(0.5)} ms (${at(0)}-${at(1)})`)
  if (!values.requests) return
  for (const [start, end, bytes, url] of requests) {
    console.log(`${start}-${end}`.padStart(12), `${bytes}`.padStart(8), new URL(url).pathname)
  }
}
