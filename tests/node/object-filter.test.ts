/** Listings of objects by type and size, compared with git's. */
import type { ObjectFilter, ObjectRow, ObjectsOptions, Repository } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { codeOf, collect, type Expected, fixture, folderOf, sha256 } from './support.ts'

const filters: readonly ObjectFilter[] = [
  { type: 'commit' },
  { type: ['tag', 'tree'] },
  { type: [] },
  { type: 'blob', maxSize: 100 },
  { type: 'blob', minSize: 37, maxSize: 37 },
  { minSize: 200 },
  { maxSize: 0 },
  { maxSize: Number.POSITIVE_INFINITY },
  { minSize: 2 ** 53 },
  { minSize: 300, maxSize: 200 },
]

function matchesFilter({ type, minSize = 0, maxSize = Infinity }: ObjectFilter) {
  const types = type === undefined ? undefined : [type].flat()
  return (object: { type: string; size: number }) =>
    (types?.includes(object.type as never) ?? true) &&
    object.size >= minSize &&
    object.size <= maxSize
}

async function expectMatches(repo: Repository, of: Expected, options: ObjectsOptions) {
  const rows = (await collect(repo.objects(options))) as ObjectRow[]
  const found = rows.map(({ oid, type, size, data }) => {
    return { oid, type, size, ...(options.fields === 'info' ? {} : { sha256: sha256(data) }) }
  })
  const expected = of.objects.filter(matchesFilter(options)).map(({ oid, type, size, sha256 }) => {
    return { oid, type, size, ...(options.fields === 'info' ? {} : { sha256 }) }
  })
  if (options.unordered) found.sort((a, b) => (a.oid < b.oid ? -1 : 1))
  expect(found).toEqual(expected)
  expect(rows.map(({ index }) => index)).toEqual(rows.map((_, at) => at))
  return rows.length
}

describe.each(['main', 'mixed', 'sha256', 'big-chain'])('Of the objects of %s', (name) => {
  const of = fixture(name)

  test.each(filters)('%o', async (filter) => {
    using repo = await open(folderOf(of))
    using now = openSync(folderOf(of))
    for (const unordered of [false, true]) {
      await expectMatches(repo, of, { ...filter, unordered, fields: 'info' })
      const count = await expectMatches(repo, of, { ...filter, unordered })
      expect([...now.objects({ ...filter, unordered })]).toHaveLength(count)
    }
  })

  test('a worker lists the same', async () => {
    await using repo = await open(folderOf(of), { worker: true })
    let count = 0
    for (const filter of filters) {
      count += await expectMatches(repo, of, filter)
      count += await expectMatches(repo, of, { ...filter, unordered: true })
    }
    expect(count).toBeGreaterThan(200)
  })
})

test('objects that the filter excludes are not inflated, in any order', () => {
  const of = fixture('main')
  for (const unordered of [false, true]) {
    using repo = openSync(folderOf(of))
    const tags = [...repo.objects({ type: 'tag', unordered })]
    const size = tags.reduce((sum, row) => sum + ('size' in row ? row.size : 0), 0)
    expect(tags.length).toBeGreaterThan(3)
    const { inflatedBytes, hashedBytes, objects } = repo.stats()
    expect({ hashedBytes, objects }).toEqual({ hashedBytes: size, objects: tags.length })
    // Some objects are deltas against others.
    expect(inflatedBytes).toBeLessThan(1.1 * size)
  }
})

test('an invalid filter is an error', async () => {
  using repo = await open(folderOf(fixture('tiny')))
  const wrong = [
    { type: 'object' },
    { type: ['blob', ''] },
    { minSize: -1 },
    { maxSize: Number.NaN },
  ]
  for (const filter of wrong as ObjectFilter[]) {
    expect(await codeOf(() => collect(repo.objects(filter)))).toBe('BAD_INPUT')
  }
})
