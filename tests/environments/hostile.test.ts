/** Hostile repositories in a page and in a worker: right or a typed error, and the next call works. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostile, KNOWN_ID, unreadable } from '../node/hostile/repositories.ts'
import { root } from '../node/support.ts'
import { PROCESS_TIMEOUT } from '../support/timeouts.ts'
import { useBrowser } from './page.ts'

const MEMORY = 64 << 20

const temporary = mkdtempSync(path.join(tmpdir(), 'packlens-hostile-page-'))

interface Served {
  readonly name: string
  readonly size: number
  readonly file: string
}

/** Returns the kind of file at a path, at which links may dangle or form a loop. */
function followed(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch {
    return undefined
  }
}

/** Returns the files that a page can get of a folder: those that can be opened and read. */
function filesIn(folder: string, prefix = ''): Served[] {
  return readdirSync(path.join(folder, prefix)).flatMap((name) => {
    const file = path.join(folder, prefix, name)
    const found = followed(file)
    if (found?.isDirectory()) return filesIn(folder, `${prefix}${name}/`)
    return found?.isFile() ? [{ name: `${prefix}${name}`, size: found.size, file }] : []
  })
}

const page = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="module">
import * as packlens from '/dist/packlens.js'
import { askAll } from '/calls.mjs'
const names = await (await fetch('names')).json()
const all = new Uint8Array(await (await fetch('bytes')).arrayBuffer())
const files = new Map()
let at = 0
const folders = new Map()
for (const { name, size } of names) {
  files.set(name, all.slice(at, (at += size)))
  for (let end = name.length; end > 0; ) {
    const start = name.lastIndexOf('/', end - 1)
    const folder = name.slice(0, Math.max(start, 0))
    if (!folders.has(folder)) folders.set(folder, new Set())
    folders.get(folder).add(name.slice(start + 1, end) + (end < name.length ? '/' : ''))
    end = start
  }
}
/** Makes every answer a promise. */
const store = {
  get: async (name) => files.get(name) ?? null,
  list: async (folder) => [...(folders.get(folder) ?? [])],
}
await packlens.load()
const empty = packlens.openSync({ packs: [] })
const before = empty.stats().instanceMemory
empty.close()
async function answer() {
  const found = {}
  for (const worker of [false, true]) {
    const options = { memory: ${MEMORY}, worker }
    const opened = () => packlens.open(store, options)
    found[worker ? 'worker' : 'page'] =
      await askAll(packlens, opened, '${KNOWN_ID}', worker ? 0 : before)
  }
  return found
}
window.answer = answer()
</script>`

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

const folderOf = (name: string) => path.join(temporary, name.replaceAll(' ', '-'))

let server: Server
beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const [, folder = '', what = ''] = pathname.split('/')
    if (folder === 'dist' || pathname === '/calls.mjs') {
      const file = path.join(root, folder === 'dist' ? pathname : 'tests/node/hostile/calls.mjs')
      const type = types[path.extname(file)] ?? 'application/octet-stream'
      response.writeHead(200, { 'Content-Type': type }).end(readFileSync(file))
      return
    }
    const files = what === '' ? [] : filesIn(path.join(temporary, folder))
    if (what === 'names') {
      response.end(JSON.stringify(files.map(({ name, size }) => ({ name, size }))))
    } else if (what === 'bytes') {
      response.end(Buffer.concat(files.map(({ file }) => readFileSync(file))))
    } else {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
// Thousands of files are removed, which takes minutes on a busy disk.
afterAll(() => {
  server.close()
  rmSync(temporary, { recursive: true, force: true })
}, 300_000)

const browse = useBrowser({ timeout: PROCESS_TIMEOUT })

interface Asked {
  readonly outcomes: Readonly<Record<string, string>>
  readonly most: number
}

describe.each(Object.entries(hostile))('A page that reads a repository with %s', (name, make) => {
  test('reads it right, or fails with a typed error', async () => {
    mkdirSync(folderOf(name))
    make(folderOf(name))
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/${path.basename(folderOf(name))}/`
    const found = (await browse(url)) as Readonly<Record<'page' | 'worker', Asked>>
    for (const [where, { outcomes, most }] of Object.entries(found)) {
      for (const [call, outcome] of Object.entries(outcomes)) {
        expect(outcome, `${where}: ${call}`).toMatch(/^[A-Za-z_]+$/)
        expect(outcome, `${where}: ${call}`).not.toBe('INTERNAL')
        if (!call.endsWith('then a known object')) continue
        expect(outcome, `${where}: ${call}`).toBe(unreadable.has(name) ? 'CORRUPT' : 'ok')
      }
      expect(most, where).toBeLessThanOrEqual(MEMORY + (64 << 20))
    }
  })
})
