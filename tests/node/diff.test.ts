/** Trees compared as git compares them: tests/fixtures/tree-diffs.mjs. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import type { DiffOptions } from 'packlens'
import { isPacklensError, open, openSync } from 'packlens'
import { expect, test } from 'vitest'
import { rawChange } from './raw-change.ts'
import { numbersFrom } from './seeded-random.ts'
import { looseObjects } from './sources.ts'
import { collect, errorOf, fixture, folderOf, root } from './support.ts'

interface Recorded {
  readonly trees: readonly string[]
  readonly roots: readonly number[]
  readonly options: readonly (readonly string[])[]
  readonly answers: readonly (readonly [sha1: string, changes: number][])[]
}

const file = path.join(root, 'tests', 'fixtures', 'tree-diffs.json')
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded
const { store, oids } = looseObjects(
  recorded.trees.map((content) => ['tree', Buffer.from(content, 'base64')]),
)
const roots = recorded.roots.map((at) => oids[at] as string)

test.each(recorded.options.map((flags, at) => [flags.join(' '), at] as const))(
  'Changes are those of git diff-tree %s',
  (flags, at) => {
    const recursive = flags.includes('-r')
    const options: DiffOptions = { recursive, trees: flags.includes('-t') }
    using repo = openSync(store)
    let pair = 0
    for (const old of roots) {
      for (const now of roots) {
        const changes = [...repo.diff(old, now, options)]
        const printed = Buffer.concat(changes.map(rawChange))
        const sha1 = createHash('sha1').update(printed).digest('hex')
        expect([sha1, changes.length], `${old} ${now}`).toEqual(recorded.answers[at]?.[pair])
        pair += 1
      }
    }
    expect(pair).toBe(recorded.answers[at]?.length)
  },
)

test('Changes from the empty tree and to it are all files', async () => {
  await using repo = await open(folderOf(fixture('main')))
  const files = (await collect(repo.walk('HEAD', { recursive: true, trees: false }))).map(
    ({ path, oid }) => [path, oid],
  )
  const added = await collect(repo.diff(null, 'HEAD'))
  expect(added.map(({ status, path, newOid }) => [status, path, newOid])).toEqual(
    files.map(([path, oid]) => ['added', path, oid]),
  )
  const deleted = await collect(repo.diff('HEAD', null))
  expect(deleted.map(({ status, path, oldOid }) => [status, path, oldOid])).toEqual(
    files.map(([path, oid]) => ['deleted', path, oid]),
  )
  expect(await collect(repo.diff('HEAD', 'HEAD'))).toEqual([])
  expect(await collect(repo.diff(null, null))).toEqual([])
})

test('A worker lists the same changes', async () => {
  const folder = folderOf(fixture('main'))
  using here = openSync(folder)
  await using there = await open(folder, { worker: true })
  const expected = [...here.diff('HEAD~2', 'HEAD')]
  expect(expected.length).toBeGreaterThan(0)
  expect(await collect(there.diff('HEAD~2', 'HEAD'))).toEqual(expected)
})

test('Subtrees that are the same are not read', () => {
  using repo = openSync(folderOf(fixture('main')))
  const [tree] = [...repo.walk('HEAD')].filter(({ type }) => type === 'tree')
  expect(tree).toBeDefined()
  const before = repo.stats().objects
  expect([...repo.diff('HEAD', 'HEAD^{tree}')]).toEqual([])
  // The commit and the tree that it names are resolved; no tree is compared.
  expect(repo.stats().objects - before).toBeLessThanOrEqual(2)
})

test('Damaged trees are compared up to the damage, or refused', () => {
  const random = numbersFrom(11)
  const whole = recorded.trees.map((content) => Buffer.from(content, 'base64'))
  const damaged = Array.from({ length: 300 }, (_, at) => {
    const content = Buffer.from(whole[recorded.roots[at % recorded.roots.length] as number] ?? '')
    if (at % 3 === 0) return content.subarray(0, Math.floor(random() * content.length))
    content[Math.floor(random() * content.length)] = Math.floor(random() * 256)
    return content
  })
  const odd = looseObjects([...whole, ...damaged].map((content) => ['tree', content]))
  using repo = openSync(odd.store)
  const codes = new Set<string>()
  for (const old of odd.oids.slice(whole.length)) {
    try {
      expect([...repo.diff(old, roots[0] as string)].length).toBeGreaterThan(0)
    } catch (error) {
      if (!isPacklensError(error)) throw error
      codes.add(error.code)
    }
    expect([...repo.diff(old, old)]).toEqual([])
  }
  expect([...codes].sort()).toEqual(['CORRUPT', 'NOT_FOUND'])
})

test('A change prints without bytes', () => {
  using repo = openSync(store)
  const [change] = [...repo.diff(null, roots[0] as string)]
  if (!change) throw new Error('no change')
  const { pathBytes, oldPathBytes, ...plain } = change
  expect(pathBytes).toEqual(oldPathBytes)
  expect(JSON.parse(JSON.stringify(change))).toEqual(plain)
  expect(inspect(change)).toBe(inspect(change.toJSON()))
})

test('What cannot be compared is refused', async () => {
  using repo = openSync(folderOf(fixture('main')))
  const list = (old: unknown) => errorOf(() => [...repo.diff(old as string, 'HEAD')])
  expect(await list(1)).toMatchObject({ code: 'BAD_INPUT', subject: '1' })
  expect(await list(undefined)).toMatchObject({ code: 'BAD_INPUT' })
  expect(await list('nothing')).toMatchObject({ code: 'NOT_FOUND' })
  expect(await list('HEAD:README.md')).toMatchObject({ code: 'WRONG_TYPE' })
  using missing = openSync(looseObjects([]).store)
  const error = await errorOf(() => [...missing.diff('1'.repeat(40), null)])
  expect(error.code).toBe('NOT_FOUND')
})
