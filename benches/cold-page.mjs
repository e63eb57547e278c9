#!/usr/bin/env node
// How long a page takes from nothing to a file of a repository on a server: with the reader,
// and with the full module from the start. The network is slowed down by the browser.
//
//   npm run bench:page -- --git-dir DIR [--file HEAD:README.md] [--runs 9] [--mbit 10] [--latency 40]
//                         [--requests]   prints when each request of the last page began and ended
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright'
import { chromiumFlags, findChromium } from '../scripts/lib/browser.mjs'
import { distDir } from '../scripts/lib/paths.mjs'

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
const gitDir = values['git-dir']
if (!gitDir || !existsSync(path.join(gitDir, 'objects'))) {
  console.error('usage: npm run bench:page -- --git-dir DIR')
  process.exit(2)
}

const types = { '.js': 'text/javascript', '.wasm': 'application/wasm' }
const packed = new Map()

/** Files of the package as a server sends them: compressed once. */
function sendPackage(response, pathname) {
  const file = path.join(distDir, pathname.slice('/dist/'.length))
  if (!packed.has(file)) packed.set(file, gzipSync(readFileSync(file), { level: 9 }))
  const type = types[path.extname(file)] ?? 'text/plain'
  response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' })
  response.end(packed.get(file))
}

/** Files of the repository, whole or in ranges. */
function sendRepository(request, response, pathname) {
  const file = path.join(gitDir, pathname.slice('/repo/'.length))
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end()
  const { size } = statSync(file)
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const [start, end] = range ? [Number(range[1]), Number(range[2] || size - 1)] : [0, size - 1]
  const last = Math.min(end, size - 1)
  response.writeHead(range ? 206 : 200, {
    'accept-ranges': 'bytes',
    'content-length': Math.max(0, last - start + 1),
    etag: `"${size}"`,
    ...(range && { 'content-range': `bytes ${start}-${last}/${size}` }),
  })
  if (request.method === 'HEAD' || size === 0) return response.end()
  createReadStream(file, { start, end: last }).pipe(response)
}

/** The page: everything begins with its script. */
const page = (preload) => `<!doctype html><link rel="icon" href="data:,"><script type="module">
  import { load, open } from '/dist/packlens.js'
  ${preload === 'full' ? "await load({ preload: 'full' })" : ''}
  const repo = await open(new URL('/repo/', location.href))
  const { size } = await repo.readBlob(${JSON.stringify(values.file)})
  document.title = performance.now() + ' ' + size
</script>`

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  if (pathname.startsWith('/dist/')) return sendPackage(response, pathname)
  if (pathname.startsWith('/repo/')) return sendRepository(request, response, pathname)
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(page(searchParams.get('preload')))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${server.address().port}/`
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: chromiumFlags,
})

async function once(preload) {
  // A context of its own has no cache.
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
  await tab.goto(`${base}?preload=${preload}`)
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

const times = { reader: [], full: [] }
const requests = {}
try {
  await once('reader')
  for (let run = 0; run < Number(values.runs); run++) {
    for (const preload of Object.keys(times)) {
      const { milliseconds, size, ...rest } = await once(preload)
      requests[preload] = rest.requests
      if (!(size > 0)) throw new Error('the page read nothing')
      times[preload].push(milliseconds)
    }
  }
  for (const [preload, list] of Object.entries(times)) {
    list.sort((a, b) => a - b)
    const at = (share) => Math.round(list[Math.floor((list.length - 1) * share)])
    console.log(`${preload.padEnd(8)} median ${at(0.5)} ms (${at(0)}-${at(1)})`)
    if (!values.requests) continue
    for (const [start, end, bytes, name] of requests[preload]) {
      console.log(`${start}-${end}`.padStart(12), `${bytes}`.padStart(8), new URL(name).pathname)
    }
  }
} finally {
  await browser.close()
  server.close()
}
