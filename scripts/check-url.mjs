#!/usr/bin/env node
// Serves a repository by nginx and prints what reading from it by URL costs.
//
//   npm run check:url -- --git-dir DIR [--log] [spec ...]
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { open } from 'packlens'
import { findNginx } from './lib/nginx.mjs'
import { startNginx } from './lib/nginx-server.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'git-dir': { type: 'string' }, log: { type: 'boolean', default: false } },
})
const gitDir = values['git-dir']
if (!gitDir) {
  console.error('usage: npm run check:url -- --git-dir DIR [--log] [spec ...]')
  process.exit(2)
}
const specs =
  positionals.length > 0 ? positionals : ['HEAD', 'HEAD^{tree}', 'HEAD:README.md', 'HEAD:COPYING']

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-check-url-'))
process.env.NGINX_PATH = await findNginx()
let server
try {
  prepare(path.resolve(gitDir), path.join(folder, 'repo.git'))
  server = await startNginx([{ prefix: '/', folder }])
  await measure(`${server.url}/repo.git`)
} finally {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** A repository of links to the files of another, which is left as it is. */
function prepare(from, to) {
  mkdirSync(path.join(to, 'objects', 'info'), { recursive: true })
  copyFileSync(path.join(from, 'HEAD'), path.join(to, 'HEAD'))
  for (const name of ['config', 'packed-refs', 'refs']) link(from, to, name)
  for (const name of readdirSync(path.join(from, 'objects'))) {
    if (name !== 'info') link(from, to, path.join('objects', name))
  }
  const { status, stderr } = spawnSync('git', ['--git-dir', to, 'update-server-info'], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`git update-server-info failed: ${stderr}`)
}

function link(from, to, name) {
  const file = path.join(from, name)
  if (existsSync(file)) symlinkSync(file, path.join(to, name))
}

async function measure(url) {
  const log = []
  const noting = (address, init) => {
    const { pathname } = new URL(address)
    log.push(`    ${pathname.replace('/repo.git/', '')} ${init.headers.Range ?? ''}`)
    return fetch(address, init)
  }
  const repo = await open(url, { http: { fetch: noting } })
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
  repo.close()
  console.table(rows)
}
