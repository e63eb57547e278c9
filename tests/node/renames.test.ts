/** Renames, copies and rewrites are those of git: tests/fixtures/renames.mjs. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import type { FileChange, PatchesOptions, RenameLimit, RenameOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { expect, test } from 'vitest'
import { renameTrees } from '../fixtures/rename-trees.mjs'
import { rawChange } from './raw-change.ts'
import { looseObjects } from './sources.ts'
import { collect, errorOf, root } from './support.ts'

interface Recorded {
  readonly flags: readonly (readonly string[])[]
  readonly answers: readonly (readonly (readonly [raw: string, patch: string, limit: number])[])[]
}

const file = path.join(root, 'tests', 'fixtures', 'renames.json')
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded
const { objects, roots } = renameTrees()
const { store } = looseObjects(objects)
const [first = '', second = '', third = ''] = roots

/** The options for flags of git. */
const OPTIONS: Record<string, RenameOptions> = {
  '-M': { renames: true },
  '-C': { renames: 'copies' },
  '-C -C': { renames: 'copies-of-any' },
  '-B': { rewrites: true },
  '-B -M': { rewrites: true, renames: true },
  '-B -C': { rewrites: true, renames: 'copies' },
  '-B -C -C': { rewrites: true, renames: 'copies-of-any' },
  '-M20%': { renames: true, similarity: 20 },
  '-M90%': { renames: true, similarity: 90 },
  '-M100%': { renames: true, similarity: 100 },
  '-M -l3': { renames: true, renameLimit: 3 },
  '-C -C -l12': { renames: 'copies-of-any', renameLimit: 12 },
}

const sha1 = (parts: readonly Uint8Array[]) =>
  createHash('sha1').update(Buffer.concat(parts)).digest('hex')

test.each(recorded.flags.map((flags, at) => [flags.join(' '), at] as const))(
  'Changes and patches are those of git diff-tree %s',
  (flags, at) => {
    const options = OPTIONS[flags]
    if (!options) throw new Error(`no options for ${flags}`)
    using repo = openSync(store)
    const limits: RenameLimit[] = []
    const all = { ...options, onRenameLimit: (limit: RenameLimit) => limits.push(limit) }
    const answers: [string, string, number][] = []
    for (const [place, old] of roots.entries()) {
      const now = roots[place + 1]
      if (now === undefined) break
      for (const pair of [[old, now] as const, [now, old] as const]) {
        limits.length = 0
        const changes = sha1([...repo.diff(...pair, all)].map(rawChange))
        const needed = limits[0]?.needed ?? 0
        const patches = sha1([...repo.patches(...pair, all)].map(({ bytes }) => bytes))
        expect(limits.length).toBe(needed === 0 ? 0 : 2)
        answers.push([changes, patches, needed])
      }
    }
    expect(answers).toEqual(recorded.answers[at])
  },
)

test('A limit says whether copies of changed files were looked for', () => {
  using repo = openSync(store)
  const limits: RenameLimit[] = []
  const onRenameLimit = (limit: RenameLimit) => limits.push(limit)
  for (const [renames, renameLimit] of [
    ['copies-of-any', 9],
    ['copies-of-any', 1],
    [true, 1],
    [true, 0],
  ] as const) {
    expect([...repo.diff(first, second, { renames, renameLimit, onRenameLimit })]).not.toEqual([])
  }
  expect(limits.map(({ isPartial }) => isPartial)).toEqual([true, false, false])
})

test('Changes have both paths, as values and as plain data', async () => {
  await using repo = await open(store)
  const changes = await collect(repo.diff(first, second, { renames: true, rewrites: true }))
  const moved = changes.filter(({ status }) => status === 'renamed')
  expect(moved.length).toBeGreaterThan(1)
  for (const { oldPath, path, similarity, dissimilarity } of moved) {
    expect(oldPath).not.toBe(path)
    expect(similarity).toBeGreaterThanOrEqual(50)
    expect(dissimilarity).toBeNull()
  }
  for (const { status, oldPath, path, similarity } of changes) {
    if (status !== 'renamed') expect([oldPath, similarity]).toEqual([path, null])
  }
  const [one] = moved
  const { status, path, oldPath, similarity } = one as FileChange
  expect(JSON.parse(JSON.stringify(one))).toMatchObject({ status, path, oldPath, similarity })
  expect(inspect(one)).toContain('oldPath')
})

test('Listings through a worker, with the same limits', async () => {
  await using repo = await open(store, { worker: true })
  using direct = openSync(store)
  const limits: RenameLimit[] = []
  const options: PatchesOptions = {
    renames: 'copies-of-any',
    rewrites: true,
    renameLimit: 12,
    onRenameLimit: (limit) => limits.push(limit),
  }
  const [seen, expected] = [
    await collect(repo.patches(second, third, options)),
    [...direct.patches(second, third, options)],
  ]
  expect(seen).toEqual(expected)
  expect(limits[0]).toEqual(limits[1])
  expect(limits.length).toBe(2)
})

test('A missing file only fails where its content is compared', async () => {
  using repo = openSync(store)
  const renamed = [...repo.diff(first, second, { renames: true })].find(
    ({ status, similarity }) => status === 'renamed' && similarity !== 100,
  )
  const { store: damaged } = looseObjects(
    objects.filter(([type, content]) => {
      const id = createHash('sha1').update(`${type} ${content.length}\0`).update(content)
      return id.digest('hex') !== renamed?.oldOid
    }),
  )
  using broken = openSync(damaged)
  const options = { renames: true } as const
  expect([...broken.diff(first, second)].length).toBeGreaterThan(3)
  expect([...broken.diff(first, second, { ...options, similarity: 100 })].length).toBeGreaterThan(3)
  expect(await errorOf(() => [...broken.diff(first, second, options)])).toMatchObject({
    code: 'NOT_FOUND',
    subject: renamed?.oldOid,
  })
})

test('More changes than memory holds are refused', async () => {
  const many = Array.from({ length: 40_000 }, (_, at) => `100644 ${'n'.repeat(200)}${at}\0`)
  const id = Buffer.alloc(20, 1)
  const sorted = many.sort((one, other) => (one < other ? -1 : 1))
  const content = Buffer.concat(sorted.flatMap((entry) => [Buffer.from(entry), id]))
  const { store, oids } = looseObjects([['tree', content]])
  using repo = openSync(store, { memory: 32 << 20 })
  expect([...repo.diff(null, oids[0] as string)].length).toBe(40_000)
  expect(
    await errorOf(() => [...repo.diff(null, oids[0] as string, { renames: true })]),
  ).toMatchObject({
    code: 'LIMIT',
  })
})
