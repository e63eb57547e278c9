/** Stores of sources, which callers wrap before they open them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RandomAccess, SourceStore } from 'packlens'
import { open, openSync, storeOf } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNginx } from '../../scripts/lib/nginx-server.mjs'
import { type Served, serveFixtures } from './servers/served.ts'
import { noise } from './sources.ts'
import { codeOf, collect, errorOf, fixture, gitDirectoryOf } from './support.ts'

const main = fixture('main')
const served = fixture('served')
const temporary = mkdtempSync(path.join(tmpdir(), 'packlens-store-of-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

/** Returns the store with reads of your own of every file, counted. */
function wrapped(store: SourceStore) {
  const counts = { reads: 0, closed: 0 }
  const wrap = (file: RandomAccess): RandomAccess => ({
    ...file,
    read: (offset, length, options) => {
      counts.reads++
      return file.read(offset, length, options)
    },
    close: () => {
      counts.closed++
      file.close?.()
    },
  })
  const get: SourceStore['get'] = (name, options) => {
    const file = store.get(name, options)
    if (file instanceof Promise) return file.then((file) => file && wrap(file))
    return file && wrap(file)
  }
  return { store: { ...store, get }, counts }
}

describe('A store of a path', () => {
  test('reads what the path itself reads, in ranges of the same sizes', async () => {
    const folder = path.join(temporary, 'large')
    execFileSync('git', ['init', '-q', '--bare', folder])
    const write = ['-C', folder, 'hash-object', '-w', '--stdin']
    const ids = [1, 2, 3].map((seed) =>
      String(execFileSync('git', write, { input: noise(seed, 600_000) })).trim(),
    )
    execFileSync('git', ['-C', folder, 'pack-objects', '-q', `${folder}/objects/pack/pack`], {
      input: ids.join('\n'),
    })
    using direct = openSync(folder)
    using stored = openSync(await storeOf(folder))
    for (const repo of [direct, stored]) for (const id of ids) repo.read(id)
    expect(direct.stats().bytesRead).toBeGreaterThan(1_800_000)
    expect(stored.stats()).toEqual(direct.stats())
  })

  test('hides files behind those that are added', async () => {
    const store = await storeOf(gitDirectoryOf(main))
    const oid = openSync(store).resolve('HEAD^')
    const added = new Map([
      ['HEAD', 'ref: refs/heads/added\n'],
      ['refs/heads/added', `${oid}\n`],
    ])
    const encoder = new TextEncoder()
    using repo = openSync({
      ...store,
      get: (name, options) => {
        const text = added.get(name)
        return text === undefined ? store.get(name, options) : encoder.encode(text)
      },
    })
    expect(repo.resolve('HEAD')).toBe(oid)
    expect(repo.refs.get('HEAD')).toMatchObject({ target: 'refs/heads/added' })
  })

  test('calls reads of yours, and closes what was opened', async () => {
    const { store, counts } = wrapped(await storeOf(gitDirectoryOf(main)))
    await using repo = await open(store, { worker: true })
    for (const { oid, type } of main.objects) expect((await repo.read(oid)).type).toBe(type)
    expect(counts.reads).toBeGreaterThan(1)
    await repo.close()
    await expect.poll(() => counts.closed).toBeGreaterThan(0)
  })

  test('finds names that are not UTF-8', async () => {
    const folder = path.join(temporary, 'bytes')
    execFileSync('git', ['init', '-q', '--bare', folder])
    const oid = execFileSync('git', ['-C', folder, 'hash-object', '-w', '--stdin'], { input: 'x' })
    const update = Buffer.from(`create refs/tags/b\xe9 ${oid}`, 'latin1')
    execFileSync('git', ['-C', folder, 'update-ref', '--stdin'], { input: update })
    const { store } = wrapped(await storeOf(folder))
    using direct = openSync(folder)
    using repo = openSync(store)
    const refs = [...repo.refs.list()]
    expect(refs).toHaveLength(1)
    expect(refs).toEqual([...direct.refs.list()])
  })
})

describe('A store of a server', () => {
  let files: Served
  let server: { url: string; stop: () => Promise<void> }
  let url: string

  beforeAll(async () => {
    files = serveFixtures([served])
    server = await startNginx([{ prefix: '/', folder: files.folder }])
    url = `${server.url}/${served.name}.git`
  })
  afterAll(async () => {
    await server?.stop()
    files?.remove()
  })

  test('sends the same requests, and counts them', async () => {
    await using direct = await open(url)
    await using stored = await open(await storeOf(url))
    for (const repo of [direct, stored]) await collect(repo.walk('HEAD', { recursive: true }))
    const { requests, receivedBytes } = await direct.stats()
    expect(requests).toBeGreaterThan(1)
    expect(await stored.stats()).toMatchObject({ requests, receivedBytes })
  })

  test('can be cached', async () => {
    const store = await storeOf(url)
    const kept = new Map<string, Uint8Array>()
    const get: SourceStore['get'] = async (name, options) => {
      const file = await store.get(name, options)
      if (!file) return null
      return {
        size: file.size,
        stamp: file.stamp,
        read: async (offset, length, options) => {
          const key = `${name} ${offset} ${length}`
          const bytes = kept.get(key) ?? (await file.read(offset, length, options))
          kept.set(key, bytes)
          return bytes
        },
      }
    }
    const walk = async () => {
      await using repo = await open({ ...store, get, close: () => {} })
      return await collect(repo.walk('HEAD', { recursive: true }))
    }
    const first = await walk()
    const reads = kept.size
    expect(await walk()).toEqual(first)
    expect(first.length).toBeGreaterThan(0)
    expect(kept.size).toBe(reads)
  })

  test('keeps the code of an error', async () => {
    const missing = `${server.url}/missing.git`
    expect(await codeOf(() => storeOf(missing))).toBe(await codeOf(() => open(missing)))
    const { store } = wrapped(await storeOf(url))
    await using repo = await open(store)
    expect(await codeOf(() => repo.read('f'.repeat(40)))).toBe('NOT_FOUND')
    await server.stop()
    expect(await codeOf(() => repo.read('HEAD:'))).toBe('NETWORK')
  })
})

describe('Without a repository', () => {
  test('a path is NOT_FOUND', async () => {
    const error = await errorOf(() => storeOf(path.join(temporary, 'nothing')))
    expect(error).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('an unknown option is BAD_INPUT', async () => {
    const options = { worker: true } as object
    const error = await errorOf(() => storeOf(gitDirectoryOf(main), options))
    expect(error).toMatchObject({ code: 'BAD_INPUT' })
    expect(String(error)).toContain('worker')
  })
})
