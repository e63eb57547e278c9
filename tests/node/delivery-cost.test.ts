/** Data that nobody accesses costs nothing in JavaScript: counted, not timed. */
import type { BatchOptions, CommitObject, SyncRepository, TreeObject } from 'packlens'
import { open, openSync } from 'packlens'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fixture, folderOf } from './support.ts'

const main = fixture('main')
const all = main.objects.map(({ oid }) => oid)

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Counts the views that are made of buffers. */
function countViews(): { made: number } {
  const count = { made: 0 }
  for (const name of ['Uint8Array', 'DataView'] as const) {
    const construct = (target: typeof Uint8Array, args: [ArrayBuffer], self: typeof Uint8Array) => {
      count.made += 1
      return Reflect.construct(target, args, self)
    }
    vi.stubGlobal(name, new Proxy(globalThis[name] as never, { construct } as never))
  }
  return count
}

describe('A batch', () => {
  /** The first batch makes everything that is made only once. */
  function warmed(): SyncRepository {
    const repo = openSync(folderOf(main))
    for (const row of repo.readMany(all)) expect(row.type).not.toBe('failed')
    return repo
  }

  test('makes no JavaScript object until a row is accessed', () => {
    using repo = warmed()
    const count = countViews()
    const viewsFor = (oids: readonly string[], look: (batch: Iterable<unknown>) => void) => {
      const before = count.made
      look(repo.readMany(oids))
      return count.made - before
    }
    const ids = all.slice(0, 200)
    const untouched = [10, 200].map((length) => viewsFor(ids.slice(0, length), () => {}))
    const rowsOnly = viewsFor(ids, (batch) => {
      for (const row of batch as Iterable<{ type: string }>) expect(row.type).toBeTruthy()
    })
    const contents = viewsFor(ids, (batch) => {
      for (const row of batch as Iterable<{ data: Uint8Array }>) expect(row.data).toBeTruthy()
    })
    // Any question may end in a step, whose record takes two views.
    const fewest = untouched[0] as number
    expect(untouched[1]).toBeLessThanOrEqual(fewest + 2)
    // The view of the whole buffer.
    expect(rowsOnly).toBeLessThanOrEqual(fewest + 3)
    expect(contents).toBeGreaterThanOrEqual(ids.length)
    expect(contents).toBeLessThanOrEqual(fewest + 3 + ids.length)
  })

  test.each([
    ['here', false],
    ['in a worker', true],
  ])('that resumes does not encode its specs again, %s', async (_, worker) => {
    await using repo = await open(folderOf(main), { worker })
    let encoded = 0
    const specs: Iterable<string> = {
      *[Symbol.iterator]() {
        encoded += all.length
        yield* all
      },
    }
    const seen: string[] = []
    let batches = 0
    let start: BatchOptions['start'] | null
    while (start !== null) {
      const batch = await repo.readMany(specs, { size: 8192, ...(start && { start }) })
      for (const row of batch) if ('oid' in row && !row.more) seen.push(row.oid)
      start = batch.next
      batches += 1
    }
    expect(batches).toBeGreaterThan(5)
    expect(seen).toEqual(all)
    expect(encoded).toBe(all.length)
  })

  test('that resumes with other specs reads those', () => {
    using repo = openSync(folderOf(main))
    const { next } = repo.readMany(all, { size: 8192 })
    if (!next) throw new Error('the buffer was to be full')
    const others = [...all].reverse()
    const [row] = repo.readMany(others, { size: 1 << 20, start: { ...next, skip: 0 } })
    expect(row).toMatchObject({ oid: others[next.index] })
    const [same] = repo.readMany(others, { size: 1 << 20, start: next })
    expect(same).toMatchObject({ oid: others[next.index], index: next.index })
  })

  test('that resumes in another order, or with other fields, starts again there', () => {
    using repo = openSync(folderOf(main))
    const ways = [{}, { fields: 'info' }, { order: 'pack' }, { order: 'pack', fields: 'info' }]
    for (const first of ways as BatchOptions[]) {
      for (const second of ways as BatchOptions[]) {
        const { next: start } = repo.readMany(all, { ...first, size: 8192 })
        if (!start) throw new Error('the buffer was to be full')
        using fresh = openSync(folderOf(main))
        const [bytes, expected] = [repo, fresh].map((of) =>
          Buffer.from(of.readMany(all, { ...second, start }).bytes),
        )
        expect(bytes?.equals(expected as Buffer), JSON.stringify([first, second])).toBe(true)
      }
    }
  })
})

test('Specs may be any text', () => {
  using repo = openSync(folderOf(main))
  const paths = [...repo.walk('HEAD', { recursive: true })]
    .filter(({ path }) => /[^\0-\x7f]/.test(path) && !path.includes('\ufffd'))
    .map(({ path }) => `HEAD:${path}`)
  expect(paths.length).toBeGreaterThan(0)
  const texts = [...paths, 'HEAD', 'refs/\ud800', ...paths]
  const rows = [...repo.readMany(texts, { fields: 'info' })]
  expect(rows.map((row) => ('oid' in row ? row.oid : row.type))).toEqual(
    texts.map((text) => repo.find(text)?.oid ?? 'missing'),
  )
  expect(rows.filter(({ type }) => type === 'missing')).toHaveLength(1)
})

describe('An object', () => {
  const decodes = (work: () => unknown): number => {
    const decode = vi.spyOn(TextDecoder.prototype, 'decode')
    work()
    const { length } = decode.mock.calls
    decode.mockRestore()
    return length
  }

  test('decodes its headers on access', () => {
    using repo = openSync(folderOf(main))
    const { oid } = repo.read('HEAD')
    let commit: CommitObject | undefined
    const read = () => {
      commit = repo.read(oid) as CommitObject
    }
    expect(decodes(read)).toBe(0)
    expect(decodes(() => commit?.headers)).toBeGreaterThan(3)
    expect(decodes(() => commit?.headers)).toBe(0)
  })

  test('decodes the entries of its tree once, on access', () => {
    using repo = openSync(folderOf(main))
    const { oid } = repo.read('HEAD^{tree}')
    let tree: TreeObject | undefined
    const read = () => {
      tree = repo.read(oid) as TreeObject
    }
    expect(decodes(read)).toBe(0)
    expect(decodes(() => tree?.entries)).toBe(2 * (tree?.entries.length ?? 0))
    expect(decodes(() => tree?.entries)).toBe(0)
  })
})
