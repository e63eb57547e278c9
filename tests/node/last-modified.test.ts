/** The commits that last changed the entries of directories: those of git, over made histories. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { pathsHistory } from '../fixtures/paths-history.mjs'
import { collect, errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-last-modified-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const plain = path.join(folder, 'plain')
const filtered = path.join(folder, 'filtered')

beforeAll(() => {
  git(plain, ['init', '-q', '--bare', plain])
  git(plain, ['fast-import', '--quiet', '--done', '--force'], pathsHistory(5, 150))
  git(plain, ['symbolic-ref', 'HEAD', 'refs/heads/main'])
  cpSync(plain, filtered, { recursive: true })
  git(filtered, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'])
})

/** Returns the directories of a commit; the root is the empty path. */
const directories = (commit: string) =>
  git(plain, ['ls-tree', '-r', '-t', '-d', '--format=%(objecttype) %(path)', commit])
    .filter((line) => line.startsWith('tree ') && !line.includes('"'))
    .map((line) => line.slice('tree '.length))
    .concat('')

describe.each([
  ['without a commit-graph', plain],
  ['with filters of changed paths', filtered],
])('%s', (_, gitDir) => {
  test('each entry has the commit of git log -1', () => {
    using repo = openSync(gitDir)
    const commits = git(gitDir, ['rev-list', '--all'])
    let compared = 0
    for (const tip of ['main', ...commits.filter((_, at) => at % 15 === 7)]) {
      for (const directory of directories(tip)) {
        const options = directory ? { path: directory } : {}
        const found = [...repo.lastModified(tip, options)]
        const listed = git(gitDir, [
          'ls-tree',
          '--format=%(objectmode) %(objectname)',
          directory ? `${tip}:${directory}` : tip,
        ])
        const printed = found.map(({ mode, oid }) => `${mode.toString(8).padStart(6, '0')} ${oid}`)
        expect(printed.sort()).toEqual(listed.sort())
        for (const { name, nameBytes, commit } of found) {
          if (!Buffer.from(name).equals(nameBytes)) continue
          const entry = directory ? `${directory}/${name}` : name
          const answer = git(gitDir, ['log', '-1', '--format=%H', tip, '--', `:(literal)${entry}`])
          expect([commit], `${tip} ${entry}`).toEqual(answer)
          compared += 1
        }
      }
    }
    expect(compared).toBeGreaterThan(40)
  })
})

test('filters spare trees', () => {
  const objects = (commitGraph: boolean) => {
    using repo = openSync(filtered, { commitGraph })
    const found = [...repo.lastModified('main')].map(({ name, commit }) => `${name} ${commit}`)
    return { found: found.sort(), objects: repo.stats().objects }
  }
  const [without, withFilters] = [objects(false), objects(true)]
  expect(withFilters.found).toEqual(without.found)
  expect(withFilters.objects).toBeLessThan(without.objects)
})

test('entries arrive as they are found, also from a worker', async () => {
  using here = openSync(plain)
  const all = [...here.lastModified('main')].map(({ name, commit }) => [name, commit])
  await using there = await open(plain, { worker: true })
  const found = await collect(there.lastModified('main'))
  expect(found.map(({ name, commit }) => [name, commit])).toEqual(all)
  const [first] = found
  if (!first) throw new Error('nothing found')
  const { mode, type, oid, name, commit } = first
  expect(JSON.parse(JSON.stringify(first))).toEqual({ mode, type, oid, name, commit })
  expect(inspect(first)).toBe(inspect(first.toJSON()))
})

test('what is no directory, or no commit, is refused', async () => {
  using repo = openSync(plain)
  const list = (spec: string, at?: string) =>
    errorOf(() => [...repo.lastModified(spec, at === undefined ? {} : { path: at })])
  const [file = ''] = git(plain, ['ls-tree', '-r', '--name-only', 'main'])
  expect(await list('main', 'nothing')).toMatchObject({ code: 'NOT_FOUND', subject: 'nothing' })
  expect(await list('main', file)).toMatchObject({ code: 'NOT_FOUND', subject: file })
  expect(await list('main^{tree}')).toMatchObject({ code: 'WRONG_TYPE' })
  expect(await list('nothing')).toMatchObject({ code: 'NOT_FOUND' })
})
