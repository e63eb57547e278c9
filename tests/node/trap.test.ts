/**
 * A trap of the module: the call fails, and no other one does. Reading
 * `trap!` traps in the copy of the package that `npm test` makes for this.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Packlens from 'packlens'
import { beforeAll, describe, expect, test } from 'vitest'
import { asyncStoreOf, packs } from './sources.ts'
import { collect, errorOf, fixture, folderOf, root, sha256 } from './support.ts'

const target = path.resolve(root, process.env.CARGO_TARGET_DIR || 'target')
const entry = path.join(target, 'trap', 'dist', 'index.node.js')

const main = fixture('main')
const wide = fixture('sha256')

let packlens: typeof Packlens
beforeAll(async () => {
  if (!existsSync(entry)) throw new Error('run `npm test -- node`, which makes target/trap')
  packlens = await import(/* @vite-ignore */ pathToFileURL(entry).href)
  // The copy is not bundled: as in a page, synchronous calls take code that was loaded before.
  await using repo = await packlens.open(folderOf(main))
  await repo.storage()
})

function failure(ask: () => unknown): Promise<Packlens.PacklensError> {
  return errorOf(ask, packlens.isPacklensError)
}

function expectAll(repo: Packlens.SyncRepository, { objects }: typeof main): void {
  for (const object of objects.slice(0, 30)) {
    expect(sha256(repo.read(object.oid).data)).toBe(object.sha256)
  }
}

describe('After a trap', () => {
  test('the call is INTERNAL, and the next one is answered', async () => {
    using repo = packlens.openSync(folderOf(main))
    expectAll(repo, main)
    const before = repo.stats()
    for (let turn = 0; turn < 3; turn++) {
      const error = await failure(() => repo.read('trap!'))
      expect([error.code, error.message]).toEqual([
        'INTERNAL',
        expect.stringContaining('fresh instance'),
      ])
      expect(error.cause).toBeInstanceOf(WebAssembly.RuntimeError)
      expect(repo.stats().bytesRead).toBe(0)
      expectAll(repo, main)
      expect(repo.stats().lookups).toBe(before.lookups)
    }
    expect((await failure(() => repo.find('trap!'))).code).toBe('INTERNAL')
    expect(repo.resolve('HEAD')).toBe(main.head.oid)
  })

  test('calls that need the rest of the module are answered, in this turn', async () => {
    using repo = packlens.openSync(folderOf(main))
    const before = repo.storage()
    await failure(() => repo.read('trap!'))
    expect(repo.storage()).toEqual(before)
  })

  test('other repositories remain readable, whatever state they had in the instance', async () => {
    using repo = packlens.openSync(folderOf(main))
    // Its ids have 32 bytes, as its config says.
    using ofWideIds = packlens.openSync(folderOf(wide))
    // Its index was made in memory, and was lost.
    using indexed = packlens.openSync(packs(main, (bytes) => bytes, { idx: false }))
    await using promised = await packlens.open(asyncStoreOf(folderOf(wide)))
    expectAll(ofWideIds, wide)
    expectAll(indexed, main)
    await failure(() => repo.read('trap!'))
    expectAll(ofWideIds, wide)
    expectAll(indexed, main)
    await failure(() => repo.read('trap!'))
    expect(await collect(promised.refs.list())).toHaveLength(wide.refs.length)
    expect((await promised.read('HEAD')).oid).toBe(wide.head.oid)
    using another = packlens.openSync(folderOf(main))
    expectAll(another, main)
  })

  test('a repository that was not used since can be closed', async () => {
    const idle = packlens.openSync(folderOf(wide))
    using repo = packlens.openSync(folderOf(main))
    await failure(() => repo.read('trap!'))
    // In the fresh instance, another session may have its number.
    expectAll(repo, main)
    idle.close()
    expect((await failure(() => idle.read('HEAD'))).code).toBe('CLOSED')
    expectAll(repo, main)
  })
})

describe('A stream that is half read', () => {
  const largest = [...main.objects].sort((a, b) => b.size - a.size).slice(0, 3)

  test.each(largest)(
    'of $oid resumes, and is verified at its end',
    async ({ oid, sha256: digest }) => {
      using repo = await packlens.open(folderOf(main))
      using other = packlens.openSync(folderOf(wide))
      const chunks: Uint8Array[] = []
      const stream = repo.stream(oid, { chunkSize: 50_000 })
      for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
        chunks.push(chunk)
        await failure(() => other.read('trap!'))
      }
      expect(chunks.length).toBeGreaterThan(5)
      expect(sha256(Buffer.concat(chunks))).toBe(digest)
    },
  )

  test('of part of an object resumes at its offset', async () => {
    using repo = await packlens.open(folderOf(main))
    const { oid = '' } = largest[0] ?? {}
    const whole = (await repo.read(oid)).data
    const reader = repo
      .stream(oid, { chunkSize: 10, range: { start: 1000, end: 1025 } })
      .getReader()
    const chunks: Uint8Array[] = []
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value)
      await failure(() => repo.read('trap!'))
    }
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(whole.subarray(1000, 1025)))
  })
})

describe('During a read', () => {
  /** A store that answers only when it is released. */
  function held(of: typeof main) {
    const store = asyncStoreOf(folderOf(of))
    const waiting: (() => void)[] = []
    let holds = false
    const get: Packlens.Store['get'] = async (name) => {
      if (holds) await new Promise<void>((resolve) => waiting.push(resolve))
      return store.get(name)
    }
    const release = () => {
      holds = false
      for (const go of waiting) go()
    }
    const hold = () => {
      holds = true
    }
    return { store: { ...store, get }, hold, release, waiting }
  }

  test('a trap of another call does not change the answer', async () => {
    using other = packlens.openSync(folderOf(main))
    const { store, hold, release, waiting } = held(wide)
    await using repo = await packlens.open(store)
    hold()
    const answers = [repo.read('HEAD'), repo.read(wide.objects[7]?.oid ?? '')]
    const refs = collect(repo.refs.list())
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    await failure(() => other.read('trap!'))
    release()
    const found = (await Promise.all(answers)).map(({ oid }) => oid)
    expect(found).toEqual([wide.head.oid, wide.objects[7]?.oid])
    expect(await refs).toHaveLength(wide.refs.length)
  })

  test('a listing fails instead of ending early', async () => {
    using other = packlens.openSync(folderOf(main))
    using repo = packlens.openSync(folderOf(main), { memory: 5 << 19 })
    const rows = repo.objects()
    rows.next()
    await failure(() => other.read('trap!'))
    const error = await failure(() => [...rows])
    expect([error.code, error.message]).toEqual(['INTERNAL', expect.stringContaining('was lost')])
    expect([...repo.objects({ fields: 'info' })]).toHaveLength(main.objects.length)
  })
})
