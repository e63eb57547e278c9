#!/usr/bin/env node
// Serves a repository by nginx and prints the cost of reading from it by URL.
//
//   npm run check:url -- --git-dir DIR [--log] [--single] [spec ...]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { open } from 'packlens'
import { findNginx } from './lib/nginx.mjs'
import { startNginx } from './lib/nginx-server.mjs'
import { linkRepository } from './lib/served-repository.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'git-dir': { type: 'string' },
    log: { type: 'boolean', default: false },
    single: { type: 'boolean', default: false },
  },
})
const gitDir = values['git-dir']
if (!gitDir) {
  console.error('usage: npm run check:url -- --git-dir DIR [--log] [--single] [spec ...]')
  process.exit(2)
}
/** Pages of another origin may request only one range at a time. */
const multipart = !values.single

/** The number of files that are tried as the additional one. */
const MOST_MORE = 100

const specs = positionals.length > 0 ? positionals : ['HEAD', 'HEAD^{tree}', 'HEAD:README.md']

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-check-url-'))
process.env.NGINX_PATH = await findNginx()
let server
try {
  linkRepository(path.resolve(gitDir), path.join(folder, 'repo.git'))
  server = await startNginx([{ prefix: '/', folder }])
  await measure(`${server.url}/repo.git`)
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(url) {
  const log = []
  const noting = (address, init) => {
    const { pathname } = new URL(address)
    log.push(`    ${pathname.replace('/repo.git/', '')} ${init.headers.Range ?? ''}`)
    return fetch(address, init)
  }
  const repo = await open(url, { http: { fetch: noting, multipart } })
  const rows = []
  const note = (what) => {
    const { requests, receivedBytes } = repo.stats()
    rows.push({ read: what, requests, 'bytes received': receivedBytes })
    if (values.log) console.log([what, ...log.splice(0)].join('\n'))
  }
  note('(open)')
  for (const spec of specs) {
    await repo.read(spec)
    note(spec)
  }
  const { entries } = await repo.read('HEAD^{tree}')
  repo.close()
  console.table(rows)
  await measureOneMore(
    url,
    entries.filter(({ type, mode }) => type === 'blob' && mode !== 0o120000),
  )
}

/** Reads some files of the root, each in a new repository after the first reads. */
async function measureOneMore(url, files) {
  const some = files.filter((_, at) => at % Math.ceil(files.length / MOST_MORE) === 0)
  const costs = []
  for (const { oid } of some) {
    const repo = await open(url, { http: { multipart } })
    for (const spec of specs) await repo.read(spec)
    const before = repo.stats()
    await repo.read(oid)
    const after = repo.stats()
    const requests = after.requests - before.requests
    costs.push({ requests, bytes: after.receivedBytes - before.receivedBytes })
    repo.close()
  }
  const mean = (key) => costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length
  const within = costs.filter(({ requests }) => requests <= 2).length
  console.log(
    `one more of ${costs.length} files beside: ${mean('requests').toFixed(1)} requests and ` +
      `${Math.round(mean('bytes'))} bytes on average, ${within} of them in 2 requests or fewer`,
  )
}
