/** Merges of which only some files are shown, and the first file that decides: git runs beside. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-merge-filters-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let merges: string[] = []

beforeAll(() => {
  git(folder, ['init', '-q', '--bare', folder])
  git(folder, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 200))
  const all = git(folder, ['rev-list', '--merges', '--all'])
  merges = all.filter((merge) => git(folder, ['diff-tree', '-c', merge]).length > 2).slice(0, 6)
})

const tree = (...args: string[]) => ['--git-dir', folder, 'diff-tree', ...args]

test.each([
  ['--diff-filter=M'],
  ['--diff-filter=A', '-M'],
  ['--diff-filter=am', '-M'],
  ['--diff-filter=D', '--raw', '-p'],
  ['--diff-filter=d', '--stat'],
  ['--diff-filter=MA', '--relative'],
  ['--diff-filter=M', '--format=%s'],
])('diff-tree -c %s %s', (...args) => {
  expect(merges.length).toBeGreaterThan(3)
  for (const merge of merges) {
    for (const how of ['-c', '--cc']) compareWithGit(folder, tree(how, ...args, merge))
  }
})

test('an object is looked for in the result or in any parent, with renames in each', () => {
  for (const merge of merges) {
    const raw = git(folder, ['diff-tree', '-c', '--no-commit-id', merge])
    const ids = raw.flatMap((line) => line.match(/[0-9a-f]{40}/g) ?? [])
    for (const oid of new Set(ids.filter((oid) => !/^0+$/.test(oid)).slice(0, 8))) {
      for (const how of [[], ['-M'], ['-p'], ['--diff-filter=M'], ['--format=%s']]) {
        compareWithGit(folder, tree('-c', `--find-object=${oid}`, ...how, merge))
      }
      const of = ['--git-dir', folder]
      compareWithGit(folder, [...of, 'show', '--format=%s', `--find-object=${oid}`, merge])
      compareWithGit(folder, [...of, 'log', '-9', '-c', '--raw', `--find-object=${oid}`, merge])
    }
  }
})

test('-R changes only the tables, unless parents are compared one after the other', () => {
  for (const merge of merges) {
    for (const how of [['-c'], ['--cc', '-p'], ['-c', '--stat', '--raw']]) {
      compareWithGit(folder, tree('-R', ...how, merge))
    }
  }
  const { exit, stderr } = run(folder, tree('-R', '-c', '-M', merges[0] ?? ''))
  expect([exit, stderr]).toEqual([
    128,
    'fatal: packlens does not support such -R with -c or --cc\n',
  ])
})

test('diff-tree --quiet looks for text and objects in the first file that differs', () => {
  const commits = git(folder, ['rev-list', '--no-merges', '-12', 'main'])
  let answers = 0
  for (const commit of commits) {
    const [first = '', ...files] = git(folder, ['diff-tree', '-r', '--no-commit-id', commit])
    const ids = [first, ...files].flatMap((line) => line.match(/[0-9a-f]{40}/g)?.slice(1) ?? [])
    for (const how of [
      ['-Sline'],
      ['-Gline 1'],
      ['-Snone such'],
      ...ids.map((oid) => [`--find-object=${oid}`]),
    ]) {
      for (const more of [[], ['--diff-filter=M'], ['-R']]) {
        compareWithGit(folder, tree('--quiet', ...how, ...more, `${commit}^`, commit))
        answers += run(folder, tree('--quiet', ...how, `${commit}^`, commit)).exit ?? 0
      }
    }
  }
  expect(answers).toBeGreaterThan(10)
})
