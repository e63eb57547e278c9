/** The commits that last changed the entries of directories: those of git, over made histories. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import type { ModifiedEntry } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { pathsHistory } from '../fixtures/paths-history.mjs'
import { run } from './cli-support.ts'
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
        const options = directory ? { path: Buffer.from(directory) } : {}
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

describe.each([
  ['without a commit-graph', plain],
  ['with filters of changed paths', filtered],
])('%s', (_, gitDir) => {
  test('recursive answers are those of each directory', () => {
    using repo = openSync(gitDir)
    let compared = 0
    for (const tip of ['main', ...git(gitDir, ['rev-list', 'main']).slice(20, 26)]) {
      const expected: string[] = []
      for (const directory of directories(tip)) {
        for (const found of repo.lastModified(tip, directory ? { path: directory } : {})) {
          const { isTree, nameBytes, commit } = found
          const path = [...(directory ? [directory] : []), Buffer.from(nameBytes).toString()]
          expected.push(`${isTree} ${path.join('/')} ${commit}`)
        }
      }
      const printed = ({ isTree, nameBytes, commit }: ModifiedEntry) => {
        return `${isTree} ${Buffer.from(nameBytes)} ${commit}`
      }
      const all = [...repo.lastModified(tip, { recursive: true, trees: true })].map(printed)
      const files = [...repo.lastModified(tip, { recursive: true })].map(printed)
      expect(all.sort()).toEqual(expected.sort())
      expect(files.sort()).toEqual(expected.filter((line) => line.startsWith('false')))
      compared += all.length
    }
    expect(compared).toBeGreaterThan(40)
  })

  test('excluded commits end the search', () => {
    using repo = openSync(gitDir)
    const all = new Map<string, string>()
    for (const { name, commit } of repo.lastModified('main', { recursive: true })) {
      all.set(name, commit)
    }
    let [cut, kept] = [0, 0]
    const commits = git(gitDir, ['rev-list', 'main'])
    for (const end of [1, 2, 3, 4, 6, 10, 15, 30].map((at) => commits[at] ?? '')) {
      const inside = new Set(git(gitDir, ['rev-list', 'main', `^${end}`]))
      const options = { recursive: true, exclude: end }
      for (const { name, commit, isCut } of repo.lastModified('main', options)) {
        expect(isCut, `${end} ${name}`).toBe(!inside.has(all.get(name) ?? ''))
        if (isCut) expect(inside.has(commit)).toBe(false)
        else expect(commit).toBe(all.get(name))
        if (isCut) cut += 1
        else kept += 1
      }
    }
    expect(Math.min(cut, kept)).toBeGreaterThan(8)
    expect([...repo.lastModified('main', { exclude: ['main~3', 'main'] })]).toEqual([])
    // As in git, the commit itself counts, though `main` reaches it.
    const [tip = ''] = [...all.values()]
    const ownOf = (options: { exclude?: string }) => {
      const found = repo.lastModified(tip, { recursive: true, ...options })
      return [...found].filter(({ commit }) => commit === tip).map((one) => [one.name, one.isCut])
    }
    expect(ownOf({ exclude: 'main' })).toEqual(ownOf({}))
    expect(ownOf({}).length).toBeGreaterThan(0)
  })
})

test('the command prints what the calls answer', () => {
  using repo = openSync(plain)
  const [folder = ''] = directories('main').filter((name) => !name.includes('/'))
  const lines = (...args: string[]) => {
    const { exit, stdout, stderr } = run(plain, ['--git-dir', plain, 'last-modified', ...args])
    expect([exit, stderr]).toEqual([0, ''])
    return stdout.toString('latin1').split('\n').slice(0, -1)
  }
  const top = [...repo.lastModified('main')]
  const plainNames = top.filter(({ name }) => /^[\w.-]+$/.test(name))
  expect(lines()).toEqual(
    expect.arrayContaining(plainNames.map((one) => `${one.commit}\t${one.name}`)),
  )
  expect(lines()).toHaveLength(top.length)
  const end = git(plain, ['rev-list', 'main'])[25] ?? ''
  const below = [...repo.lastModified('main', { path: folder, exclude: end })]
  const printed = below.map(
    ({ isCut, commit, nameBytes }) =>
      `${isCut ? '^' : ''}${commit}\t${folder}/${Buffer.from(nameBytes).toString('latin1')}`,
  )
  const z = run(plain, [
    '--git-dir',
    plain,
    'last-modified',
    '-z',
    `${end}..main`,
    '--',
    `${folder}/`,
  ])
  expect(z.stdout.toString('latin1').split('\0').slice(0, -1)).toEqual(printed)
  const own = top.find(({ name }) => name === folder)
  expect(lines('main', '--', folder)).toEqual([`${own?.commit}\t${folder}`])
  expect(lines('main', '--', 'nothing')).toEqual([])
  expect(lines('^main')).toEqual([])
  expect(lines('-r', 'main', '--', folder).length).toBeGreaterThan(0)
  expect(lines('-r', 'main', '--', folder)).toEqual(lines('--max-depth=-1', '--', `${folder}/`))
  expect(lines('--max-depth=1', '--', folder)).toEqual(lines('--', `${folder}/`))
})

test.each([
  [['main', 'main~1'], 255, 'error: last-modified can only operate on one commit at a time\n'],
  [['--max-depth=x'], 129, /^error: option `max-depth' expects an integer value/],
  [['main:'], 255, "error: revision argument 'main:' is a tree, not a commit-ish\n"],
  [['--bogus'], 129, /^error: unknown option `bogus'/],
  [['main', '--', 'a*'], 128, "fatal: packlens last-modified does not support 'a*'\n"],
  [['main', '--', 'a', 'a/'], 128, /does not support paths inside others/],
  [['-t', 'main', '--', 'a/b'], 128, /does not support --show-trees of paths in/],
])('last-modified %j is refused', (args, exit, message) => {
  const refused = run(plain, ['--git-dir', plain, 'last-modified', ...args])
  expect(refused.exit).toBe(exit)
  if (typeof message === 'string') expect(refused.stderr).toBe(message)
  else expect(refused.stderr).toMatch(message)
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
  const { mode, type, oid, name, commit, isCut } = first
  expect(isCut).toBe(false)
  expect(JSON.parse(JSON.stringify(first))).toEqual({ mode, type, oid, name, commit, isCut })
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
