// Prepares the input of the jobs: copies of the repository, and lists of requests.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { git } from '../../scripts/lib/git.mjs'
import { inRoot, targetDir } from '../../scripts/lib/paths.mjs'
import { Failure } from '../../scripts/lib/shell.mjs'
import { numbersFrom, someOf } from './random.mjs'
import { makeWorktree } from './worktree.mjs'

/** Pairs of commits that git/git has. */
const pairs = { easy: ['v2.0.0', 'v2.40.0'], hard: ['v1.5.3.8', 'master'] }

/** The number of branches for each request, and of new ones. */
const BRANCHES = 5
const NEW_BRANCHES = 0.5

/** How many files of `HEAD` are read by a call each, as in a report about isomorphic-git. */
const FILES = 613

/** A commit that identifies git's own repository: its release 2.40.0. */
const ofGit = '73876f4861cd3d187a4682290ab75c9dccadbc56'

/**
 * Makes the lists, and copies which share the files of packs with the original. The input
 * of a job is in its `task`.
 */
export function makeWorkplace(gitDir, { seed, count }) {
  const parent = path.join(targetDir, 'benches')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(path.join(parent, 'run-'))
  try {
    return fill(folder, gitDir, { seed, count })
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
}

function fill(folder, gitDir, { seed, count }) {
  const copies = copiesOf(gitDir, folder, count * BRANCHES)
  const plain = copies.plain()
  const ask = (...args) => git(['--git-dir', plain, ...args]).trim()

  const all = objectsOf(plain)
  const lists = {}
  for (const [at, [kind, ids]] of [
    ['blobs', all.filter(({ type }) => type === 'blob')],
    ['mixed', all],
    ['files', filesOf(ask)],
  ].entries()) {
    const most = kind === 'files' ? FILES : count
    const oids = someOf(ids, most, numbersFrom(seed + at)).map(({ oid }) => oid)
    const file = path.join(folder, kind)
    writeFileSync(file, oids.map((oid) => `${oid}\n`).join(''))
    lists[kind] = { oids, file }
  }
  const facts = {
    objects: all.length,
    requests: { ...countsOf(lists), seed },
    pack: statSync(largestPack(plain)).size,
    head: ask('rev-parse', 'HEAD'),
    isGit: all.some(({ oid }) => oid === ofGit),
  }
  const worktree = once(() => makeWorktree(path.join(folder, 'worktree')))
  const newBranches = path.join(folder, 'branches')
  writeNewBranches(count * NEW_BRANCHES, facts.head, newBranches)
  return { folder, facts, task, close: () => rmSync(folder, { recursive: true, force: true }) }

  async function task(job) {
    const list = job.requests && lists[job.requests]
    const kind = job.repository ?? 'plain'
    return {
      repository: await copies[kind](),
      ...(kind === 'tables' ? { files: copies.branches() } : {}),
      file: `HEAD:${firstFile(ask)}`,
      ...(list ? { oids: list.oids, list: list.file } : {}),
      ...(job.worktree ? { worktree: worktree() } : {}),
      ...(job.pair ? { pair: pairOf(job.pair, ask) } : {}),
      pack: largestPack(plain),
      ...(job.newBranches ? { list: newBranches } : {}),
      scratch: (name) => path.join(folder, `scratch.${name}`),
    }
  }
}

/** Returns a function that makes something when it is called first. */
function once(make) {
  let made
  return () => (made ??= make())
}

function countsOf(lists) {
  return Object.fromEntries(Object.entries(lists).map(([kind, { oids }]) => [kind, oids.length]))
}

/** The copies of a repository that jobs read, each made on first use. */
function copiesOf(gitDir, folder, branches) {
  const copy = (name) => {
    const place = path.join(folder, `${name}.git`)
    git(['clone', '--quiet', '--mirror', '--local', path.resolve(gitDir), place])
    for (const name of ['commit-graph', 'commit-graphs']) {
      rmSync(path.join(place, 'objects', 'info', name), { recursive: true, force: true })
    }
    return place
  }
  const copies = {
    plain: once(() => copy('plain')),
    graph: once(() => {
      const place = copy('graph')
      git(['--git-dir', place, 'commit-graph', 'write', '--reachable', '--no-progress'])
      return place
    }),
    branches: once(() => {
      const place = copy('branches')
      addBranches(place, branches)
      return place
    }),
    tables: once(async () => {
      const place = copy('tables')
      await putInTable(copies.branches(), place)
      return place
    }),
  }
  return copies
}

/** Copies the refs of one repository to a reftable of another: an old git writes none. */
async function putInTable(from, to) {
  const { openSync } = await import(pathToFileURL(inRoot('dist', 'node', 'packlens.js')).href)
  const repo = openSync(from)
  const table = await (await repo.refs.plan([])).toReftable()
  repo.close()
  for (const name of ['refs', 'packed-refs']) rmSync(path.join(to, name), { recursive: true })
  const tables = path.join(to, 'reftable')
  for (const name of ['refs', 'reftable']) mkdirSync(path.join(to, name))
  writeFileSync(path.join(to, 'refs', 'heads'), 'this repository uses the reftable format\n')
  writeFileSync(path.join(to, 'HEAD'), 'ref: refs/heads/.invalid\n')
  const name = '0x000000000001-0x000000000001-00000001.ref'
  writeFileSync(path.join(tables, name), table)
  writeFileSync(path.join(tables, 'tables.list'), `${name}\n`)
  const config = path.join(to, 'config')
  const set = (key, value) => git(['config', '--file', config, key, value])
  set('core.repositoryFormatVersion', '1')
  set('extensions.refStorage', 'reftable')
}

/** Adds branches of the commit that HEAD is at, packed as git packs them. */
function addBranches(repository, count) {
  const oid = git(['--git-dir', repository, 'rev-parse', 'HEAD']).trim()
  git(['--git-dir', repository, 'pack-refs', '--all'])
  const file = path.join(repository, 'packed-refs')
  const [head, ...rows] = readFileSync(file, 'latin1')
    .split(/\n(?!\^)/)
    .filter(Boolean)
  rows.push(...numbered('refs/heads/b', count).map((name) => `${oid} ${name}`))
  const name = (row) => row.split('\n', 1)[0].slice(oid.length)
  rows.sort((one, other) => (name(one) < name(other) ? -1 : 1))
  writeFileSync(file, [head, ...rows, ''].join('\n'), 'latin1')
}

/** Writes commands that have git prepare the creation of new branches. */
function writeNewBranches(count, oid, file) {
  const lines = numbered('refs/heads/n', count).map((name) => `create ${name} ${oid}`)
  writeFileSync(file, ['start', ...lines, 'prepare', 'abort', ''].join('\n'))
}

function numbered(prefix, count) {
  return Array.from({ length: count }, (_, at) => `${prefix}${`${at}`.padStart(6, '0')}`)
}

function objectsOf(repository) {
  const format = '--batch-check=%(objectname) %(objecttype)'
  return git(['--git-dir', repository, 'cat-file', '--batch-all-objects', format])
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [oid, type] = line.split(' ')
      return { oid, type }
    })
}

function filesOf(ask) {
  const lines = ask('ls-tree', '-r', 'HEAD').split('\n')
  const oids = lines.map((line) => /^\d+ blob ([0-9a-f]+)/.exec(line)?.[1]).filter(Boolean)
  return [...new Set(oids)].map((oid) => ({ oid }))
}

function firstFile(ask) {
  const files = ask('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0')
  return files.includes('README.md') ? 'README.md' : files[0]
}

/** As ids: resolving a name is no part of the job. */
function pairOf(kind, ask) {
  try {
    return pairs[kind].map((name) => ask('rev-parse', '--verify', '--quiet', `${name}^{commit}`))
  } catch {
    // Another repository: two of its commits that are as close, or as far apart.
    const commits = ask('rev-list', 'HEAD').split('\n')
    const behind = kind === 'easy' ? Math.floor(commits.length / 4) : commits.length - 1
    return [commits[behind], commits[0]]
  }
}

export function largestPack(repository) {
  const folder = path.join(repository, 'objects', 'pack')
  const packs = readdirSync(folder).filter((name) => name.endsWith('.pack'))
  if (packs.length === 0) throw new Failure('the repository has no pack')
  const size = (name) => statSync(path.join(folder, name)).size
  return path.join(folder, packs.sort((a, b) => size(b) - size(a))[0])
}
