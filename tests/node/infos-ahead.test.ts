/**
 * Metadata of many objects that are anywhere in a pack, with a ceiling that holds a part of the
 * pack at a time.
 */
import { readFileSync } from 'node:fs'
import type { BatchPlace, BatchRow, SyncRepository } from 'packlens'
import { openSync } from 'packlens'
import { beforeAll, expect, test } from 'vitest'
import { git, manyObjects } from './many-objects.ts'

const COUNT = 100_000
/** Enough for the names of the objects, not for the pack. */
const MEMORY = 6 << 20

let repository = { folder: '', stem: '' }
let expected = new Map<string, string>()
let packBytes = 0

beforeAll(() => {
  repository = manyObjects(COUNT)
  const format =
    '--batch-check=%(objectname) %(objecttype) %(objectsize) %(objectsize:disk) %(deltabase)'
  const lines = git(repository.folder, ['cat-file', '--batch-all-objects', format]).trim()
  expected = new Map(lines.split('\n').map((line) => [line.slice(0, 40), line]))
  packBytes = ['.pack', '.idx'].reduce(
    (sum, ending) => sum + readFileSync(`${repository.stem}${ending}`).length,
    0,
  )
})

function lineOf(row: BatchRow): string {
  if (!('oid' in row)) throw new Error(row.type)
  const { type, size, diskSize, deltaBase } = row
  return `${row.oid} ${type} ${size} ${diskSize} ${deltaBase ?? '0'.repeat(40)}`
}

/** Asks a repository that is opened for it, and returns how many bytes that read. */
function asked(ask: (repo: SyncRepository) => void): number {
  using repo = openSync(repository.folder, { memory: MEMORY })
  ask(repo)
  return repo.stats().bytesRead
}

/** Returns ids in an order in which neighbours are far from each other in the pack. */
function shuffled(): string[] {
  const ids = [...expected.keys()]
  let state = 7
  for (let at = ids.length - 1; at > 0; at--) {
    state = (state * 48_271) % 0x7fffffff
    const other = state % (at + 1)
    const [one, two] = [ids[at] as string, ids[other] as string]
    ids[at] = two
    ids[other] = one
  }
  return ids
}

test.each(['asked', 'pack'] as const)('`readMany` in the order %s has what git has', (order) => {
  const ids = shuffled().slice(0, 8_000)
  const bytesRead = asked((repo) => {
    for (let start: BatchPlace | null = { index: 0, skip: 0 }; start !== null; ) {
      const options = { fields: 'info', start } as const
      const batch = repo.readMany(ids, order === 'pack' ? { ...options, order } : options)
      for (const row of batch) {
        expect(lineOf(row)).toBe(expected.get(ids[row.index] ?? ''))
      }
      start = batch.next
    }
  })
  expect(packBytes).toBeGreaterThan(5_000_000)
  expect(bytesRead).toBeLessThan(8 * packBytes)
})

test.each([undefined, 'blob'] as const)('`objects` by id, of type %s, has what git has', (type) => {
  const listed: string[] = []
  const bytesRead = asked((repo) => {
    const rows = repo.objects({ fields: 'info', ...(type && { type }) })
    listed.push(...Array.from(rows, lineOf))
  })
  expect(listed).toEqual([...expected.values()])
  // Some thirty times as many objects as are read together.
  expect(bytesRead).toBeLessThan(60 * packBytes)
})
