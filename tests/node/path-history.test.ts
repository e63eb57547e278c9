/** The commits that changed given paths: the same as git lists, over made histories. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { callOf, inputOf, pathCases } from '../../scripts/lib/history-cases.mjs'
import { PATHS, pathsHistory } from '../fixtures/paths-history.mjs'
import { environment, run } from './cli-support.ts'
import { codeOf, collect, errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-path-history-'))
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

describe.each([
  ['without a commit-graph', plain],
  ['with filters of changed paths', filtered],
])('%s', (_, gitDir) => {
  test('lists what git lists', () => {
    const commits = git(gitDir, ['rev-list', '--all'])
    const refs = git(gitDir, ['for-each-ref', '--format=%(refname)'])
    const dates = git(gitDir, ['log', '--all', '--format=%ct'])
    const cases = pathCases({ commits, refs, dates, paths: PATHS, seed: 5, count: 120 })
    using repo = openSync(gitDir)
    let found = 0
    for (const asked of cases) {
      const [specs, options] = callOf(asked)
      const answer = [...repo.revList(specs, options)]
      const text = `${asked.args.join(' ')} ${asked.specs.join(' ')} -- ${asked.paths.join(' ')}`
      expect(answer, text).toEqual(git(gitDir, asked.args, inputOf(asked)))
      found += answer.length
    }
    expect(found).toBeGreaterThan(300)
  })
})

test('filters spare trees', () => {
  const trees = (gitDir: string, commitGraph: boolean) => {
    using repo = openSync(gitDir, { commitGraph })
    const ids = [...repo.revList('main', { path: 'dir/deep/b', limit: 5 })]
    return { ids, objects: repo.stats().objects }
  }
  const [without, withFilters] = [trees(filtered, false), trees(filtered, true)]
  expect(withFilters.ids).toEqual(without.ids)
  expect(withFilters.objects * 3).toBeLessThan(without.objects * 2)
})

test('a comparison takes the trees of commits from the graph', () => {
  const graphed = path.join(folder, 'graphed')
  cpSync(plain, graphed, { recursive: true })
  git(graphed, ['commit-graph', 'write', '--reachable', '--no-progress'])
  const read = (gitDir: string) => {
    using repo = openSync(gitDir)
    const ids = [...repo.revList('main', { path: 'dir' })]
    return { ids, objects: repo.stats().objects }
  }
  const [without, withGraph] = [read(plain), read(graphed)]
  expect(withGraph.ids).toEqual(without.ids)
  const commits = git(plain, ['rev-list', 'main']).length
  expect(without.objects).toBeGreaterThan(commits)
  expect(withGraph.objects).toBeLessThan(commits / 2)
})

test('a graph with the id of a tree that does not exist is ignored', () => {
  const forged = path.join(folder, 'forged')
  cpSync(filtered, forged, { recursive: true })
  const file = path.join(forged, 'objects', 'info', 'commit-graph')
  const graph = readFileSync(file)
  const rows = graph.readUInt32BE(12 + 12 * 2)
  expect(graph.toString('latin1', 8 + 12 * 2, 12 + 12 * 2)).toBe('CDAT')
  const [tip] = git(forged, ['rev-parse', 'main^{tree}'])
  const at = graph.indexOf(Buffer.from(`${tip}`, 'hex'), rows + 4)
  expect(at).toBeGreaterThan(rows)
  graph.fill(0xee, at, at + 20)
  createHash('sha1')
    .update(graph.subarray(0, -20))
    .digest()
    .copy(graph, graph.length - 20)
  chmodSync(file, 0o644)
  writeFileSync(file, graph)
  using repo = openSync(forged)
  const ids = [...repo.revList('main', { path: 'dir' })]
  expect(ids).toEqual(git(plain, ['rev-list', 'main', '--', 'dir']))
})

test('a graph stays in use where commits are visited before their children', () => {
  const walked = (gitDir: string) => {
    using repo = openSync(gitDir)
    for (const dir of PATHS) [...repo.revList([], { all: true, path: Buffer.from(dir, 'latin1') })]
    return repo.stats().commitsWalked
  }
  expect(walked(filtered)).toBe(walked(plain))
})

test('a path with more slashes is the same path, with filters too', () => {
  for (const gitDir of [plain, filtered]) {
    using repo = openSync(gitDir)
    const ids = [...repo.revList('main', { path: 'dir/deep/b' })]
    expect(ids.length).toBeGreaterThan(3)
    for (const path of ['/dir/deep/b', 'dir//deep/b']) {
      expect([...repo.revList('main', { path })], path).toEqual(ids)
    }
  }
})

test('log returns these commits, and a count counts them', async () => {
  await using repo = await open(plain)
  const ids = git(plain, ['rev-list', 'main', '--', 'dir'])
  expect(ids.length).toBeGreaterThan(20)
  expect((await collect(repo.log('main', { path: 'dir' }))).map(({ oid }) => oid)).toEqual(ids)
  expect(await repo.countCommits('main', { path: ['dir'] })).toBe(ids.length)
  expect(await repo.countCommits('main', { path: [] })).toBe(
    git(plain, ['rev-list', 'main']).length,
  )
})

test('what is no path is BAD_INPUT, and so are paths of a list of objects', async () => {
  using repo = openSync(plain)
  for (const wrong of ['', 'a\0b', 7, [''], new Uint8Array()]) {
    const options = { path: wrong } as object
    const error = await errorOf(() => [...repo.revList('main', options)])
    expect(error).toMatchObject({ code: 'BAD_INPUT' })
  }
  expect(await codeOf(() => [...repo.revListObjects('main', { path: 'a' })])).toBe('BAD_INPUT')
})

describe('rev-list on the command line', () => {
  const worktree = path.join(folder, 'worktree')
  const below = path.join(worktree, 'dir')
  beforeAll(() => {
    mkdirSync(path.join(below, 'deep'), { recursive: true })
    cpSync(plain, path.join(worktree, '.git'), { recursive: true })
    git(path.join(worktree, '.git'), ['config', 'core.bare', 'false'])
    for (const name of ['b', 'dir/a', 'dir/deep/b', 'a*b'])
      writeFileSync(path.join(worktree, name), '')
  })

  const gits = (cwd: string, args: readonly string[]) => {
    const { status, stdout } = spawnSync('git', ['rev-list', ...args], { cwd, env: environment })
    return { exit: status, stdout: stdout.toString() }
  }

  test.each([
    [worktree, ['main', '--', 'b']],
    [worktree, ['main', '--', 'b', 'dir/deep/']],
    [worktree, ['--topo-order', 'main', 'b', 'dir']],
    [worktree, ['main', '--', ':(top)dir', ':(literal)a*b']],
    [worktree, ['main', '--']],
    [worktree, ['main', '--', '.']],
    [worktree, ['--count', 'main', '--', 'nothing']],
    [below, ['main', '--', 'deep']],
    [below, ['main', 'a']],
    [below, ['main', '--', '../b', ':/dir/deep']],
    [worktree, ['--count', 'main', '--', 'd*', ':!*b']],
    [worktree, ['main', ':(glob)**/a']],
    [below, ['main', '--', ':(icase)DEEP/*', ':(icase)../B']],
    [below, ['main', 'de?p']],
  ])('in %s: %j', (cwd, args) => {
    const { exit, stdout } = run(cwd, ['rev-list', ...args])
    expect({ exit, stdout: stdout.toString() }).toEqual(gits(cwd, args))
    expect(exit).toBe(0)
  })

  test.each([
    [['main', 'missing'], 'ambiguous argument'],
    [['main', 'b', 'missing'], 'ambiguous argument'],
    [['main', 'b', '--count'], 'must come before non-option arguments'],
    [['missing', '--', 'b'], 'bad revision'],
    [['main', '--', '../outside'], 'is outside repository'],
    [['main', '--', ''], 'empty string'],
    [['main', '--', ':(no)b'], "Invalid pathspec magic 'no'"],
    [['main', '--', ':%b'], "Unimplemented pathspec magic '%'"],
    [['main', '--', ':(top'], "Missing ')'"],
    [['main', '--', ':(literal,glob)b'], 'are incompatible'],
  ])('refuses %j, as git does', (args, message) => {
    const { exit, stderr } = run(worktree, ['rev-list', ...args])
    expect({ exit, stdout: '' }).toEqual(gits(worktree, args))
    expect(stderr).toContain(message)
  })

  test.each([
    [['main', '--', ':(attr:text)b'], 'attr'],
    [['--objects', 'main', '--', 'b'], 'paths'],
  ])('says that it does not support %j', (args, message) => {
    const { exit, stderr } = run(worktree, ['rev-list', ...args])
    expect(exit).toBe(128)
    expect(stderr).toContain(message)
  })
})
