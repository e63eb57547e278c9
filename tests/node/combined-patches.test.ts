/** Patches of merges are those of git diff-tree --cc and -c, over a made history. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import type { CombinedPatchesOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { collect, errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-combined-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  git(folder, ['init', '-q', '--bare', folder])
  git(folder, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 200))
})

const CASES: [flags: string[], options: CombinedPatchesOptions][] = [
  [['--cc'], {}],
  [['-c'], { dense: false }],
  [['--cc', '-U1', '-b'], { context: 1, ignoreSpace: 'amount' }],
]

test.each(CASES)('patches are those of git diff-tree -p %j', (flags, options) => {
  using repo = openSync(folder)
  let hunks = 0
  for (const merge of git(folder, ['rev-list', '--merges', '--all'])) {
    const shared = ['diff-tree', '-p', '--full-index', '--no-commit-id', ...flags, merge]
    const printed = git(folder, shared).join('\n')
    const patches = [...repo.combinedPatches(merge, options)]
    expect(patches.map(String).join('').replace(/\n$/, ''), merge).toBe(printed)
    hunks += printed.split('\n@@@').length - 1
  }
  expect(hunks).toBeGreaterThan(50)
})

test('files have the modes and ids of all parents, also from a worker', async () => {
  using here = openSync(folder)
  await using there = await open(folder, { worker: true })
  const merges = git(folder, ['rev-list', '--merges', '--all'])
  const merge = merges.find((merge) => [...here.combinedPatches(merge)].length > 1) ?? ''
  const files = [...here.combinedPatches(merge)]
  expect(await collect(there.combinedPatches(merge))).toEqual(files)
  const raw = git(folder, ['diff-tree', '-c', '--raw', '--no-commit-id', merge])
  const mode = (of: number | null) => (of ?? 0).toString(8).padStart(6, '0')
  const listed = files.map(({ parents, mode: now, oid, path }) => {
    const ids = [...parents.map((parent) => parent.oid), oid].map((id) => id ?? '0'.repeat(40))
    const modes = [...parents.map((parent) => parent.mode), now].map(mode)
    return `${':'.repeat(parents.length)}${modes.join(' ')} ${ids.join(' ')}|${path}`
  })
  expect(listed).toEqual(raw.map((line) => line.replace(/ [A-Z]+\t"?/, '|').replace(/"$/, '')))
  const [file] = files
  if (!file) throw new Error('no file')
  const { pathBytes, bytes, ...plain } = file
  expect(pathBytes.length + bytes.length).toBeGreaterThan(0)
  expect(JSON.parse(JSON.stringify(file))).toEqual(plain)
  expect(inspect(file)).toBe(inspect(file.toJSON()))
})

test('what is no commit, or has no parents, is refused', async () => {
  using repo = openSync(folder)
  const ask = (spec: string) => errorOf(() => [...repo.combinedPatches(spec)])
  const [root = ''] = git(folder, ['rev-list', '--max-parents=0', '--all'])
  expect(await ask(root)).toMatchObject({ code: 'NOT_FOUND' })
  expect(await ask('nothing')).toMatchObject({ code: 'NOT_FOUND' })
})
