/** Walks over commits, with and without a commit-graph, compared with git's. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Repository, RevListOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from './cli-support.ts'
import { asyncStoreOf } from './sources.ts'
import { codeOf, collect, fixture, folderOf, root } from './support.ts'

interface Case {
  readonly args: readonly string[]
  readonly exit: number
  readonly plain: Answer
  readonly dates?: Answer
  readonly levels?: Answer
  readonly chain?: Answer
}
type Answer = number | readonly (number | string)[]
type Kind = 'plain' | 'dates' | 'levels' | 'chain'

const kinds: readonly Kind[] = ['plain', 'dates', 'levels', 'chain']
const scratch = mkdtempSync(path.join(tmpdir(), 'walks-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A copy of a fixture with a commit-graph of some kind. */
function folderWith(name: string, kind: Kind): string {
  const folder = path.join(scratch, `${name}-${kind}`)
  cpSync(folderOf(fixture(name)), folder, { recursive: true })
  if (kind !== 'plain') {
    cpSync(path.join(folder, 'graphs', kind), path.join(folder, 'objects', 'info'), {
      recursive: true,
    })
  }
  return folder
}

function answersTo(name: string): { commits: string[]; cases: Case[] } {
  return JSON.parse(readFileSync(path.join(root, 'tests/fixtures/walks', `${name}.json`), 'utf8'))
}

/** Returns the lines that git printed. */
function linesOf(entry: Case, kind: Kind, commits: readonly string[]): string[] {
  const answer = entry[kind] ?? entry.plain
  if (typeof answer === 'number') return [`${answer}`]
  const line = (place: number | string) =>
    typeof place === 'number' ? `${commits[place]}` : `^${commits[Number(place.slice(1))]}`
  return answer.map(line)
}

const flags: Readonly<Record<string, RevListOptions>> = {
  '--all': { all: true },
  '--topo-order': { order: 'topo' },
  '--date-order': { order: 'date' },
  '--reverse': { reverse: true },
  '--first-parent': { firstParent: true },
  '--merges': { merges: true },
  '--no-merges': { merges: false },
}
const numbers = { '--max-count': 'limit', '--skip': 'skip', '--since': 'since', '--until': 'until' }

/** The commands that list commits. */
type List = (repo: Repository, specs: string[], options: RevListOptions) => Promise<string[]>
const revList: List = (repo, specs, options) => collect(repo.revList(specs, options))
const log: List = async (repo, specs, options) =>
  (await collect(repo.log(specs, options))).map(({ oid }) => oid)

/** Calls the method that corresponds to a command; returns `null` if there is none. */
async function ask(
  repo: Repository,
  args: readonly string[],
  list: List,
): Promise<string[] | null> {
  const [command, ...rest] = args
  let options: RevListOptions = {}
  let count = false
  const specs: string[] = []
  for (const arg of rest) {
    const [name = '', value] = arg.split('=')
    const number = numbers[name as keyof typeof numbers]
    const known = flags[name]
    // Before `--not`, `--all` is the same as the option.
    if (arg === '--count') count = true
    else if (known && !specs.includes('--not')) options = { ...options, ...known }
    else if (number) options = { ...options, [number]: Number(value) }
    else specs.push(arg)
  }
  if (command === 'rev-list') {
    if (count) return [`${await repo.countCommits(specs, options)}`]
    return list(repo, specs, options)
  }
  if (command !== 'merge-base' || rest[0] === '--independent') return null
  const commits = specs.filter((spec) => !spec.startsWith('--'))
  const [a = '', b = ''] = commits
  if (rest[0] === '--is-ancestor') return [`${await repo.isAncestor(a, b)}`]
  const octopus = rest.includes('--octopus')
  if (rest.includes('--all')) return repo.mergeBases(commits, { octopus })
  if (octopus) return (await repo.mergeBases(commits, { octopus })).slice(0, 1)
  const one = await repo.mergeBase(a, b)
  return one === null ? [] : [one]
}

async function compare(repo: Repository, name: string, kind: Kind, every: number, list = revList) {
  const { commits, cases } = answersTo(name)
  let compared = 0
  for (const [at, entry] of cases.entries()) {
    const answer = at % every === 0 ? await ask(repo, entry.args, list) : null
    if (answer === null) continue
    const isQuestion = entry.args[1] === '--is-ancestor'
    const lines = isQuestion ? [`${entry.exit === 0}`] : linesOf(entry, kind, commits)
    expect(answer, `${kind}: ${entry.args.join(' ')}`).toEqual(lines)
    compared++
  }
  return compared
}

describe.each(['walks', 'walks-sha256'])('%s', (name) => {
  test.each(kinds)('from a path, graph: %s', async (kind) => {
    using repo = await open(folderWith(name, kind))
    expect(await compare(repo, name, kind, 1)).toBeGreaterThan(170)
    const read = repo.stats().objects
    // Tags are read, and commits only if the graph lacks them.
    if (kind === 'plain') expect(read).toBeGreaterThan(1000)
    if (kind === 'dates' || kind === 'levels') expect(read).toBeLessThan(60)
  })

  test.each(kinds)('from a path by `log`, graph: %s', async (kind) => {
    using repo = await open(folderWith(name, kind))
    expect(await compare(repo, name, kind, 1, log)).toBeGreaterThan(170)
  })

  test('from a worker, and from a store that returns promises', async () => {
    const folder = folderWith(name, 'dates')
    await using worker = await open(folder, { worker: true })
    expect(await compare(worker, name, 'dates', 3)).toBeGreaterThan(55)
    await using store = await open(asyncStoreOf(folder))
    expect(await compare(store, name, 'dates', 3)).toBeGreaterThan(55)
  })

  test.each(kinds)('from the command line, graph: %s', (kind) => {
    const { commits, cases } = answersTo(name)
    const folder = folderWith(name, kind)
    for (const entry of cases) {
      const { exit, stdout, stderr } = run(folder, entry.args)
      const what = `${entry.args.join(' ')}: ${stderr}`
      expect(`${stdout}`.split('\n').slice(0, -1), what).toEqual(linesOf(entry, kind, commits))
      expect(exit, what).toBe(entry.exit)
    }
  })
})

test('synchronous answers are equal', async () => {
  using repo = await open(folderOf(fixture('walks')))
  using now = openSync(folderOf(fixture('walks')))
  expect([...now.revList('main')]).toEqual(await collect(repo.revList('main')))
  expect(now.countCommits('main')).toBe(await repo.countCommits(['main']))
  const [a, b] = ['cross/left', 'cross/right']
  expect(now.mergeBase(a, b)).toBe(await repo.mergeBase(a, b))
  expect(now.mergeBases([a, b])).toEqual(await repo.mergeBases([a, b]))
  expect(now.isAncestor('main~3', 'main')).toBe(true)
  expect(now.isAncestor('main', 'main~3')).toBe(false)
})

test('a commit-graph is used unless an option disables it', async () => {
  const folder = folderWith('walks', 'dates')
  const read = async (options = {}) => {
    await using repo = await open(folder, options)
    expect(await repo.countCommits('main')).toBe(130)
    return repo.stats().objects
  }
  for (const worker of [false, true]) {
    expect(await read({ worker })).toBe(0)
    expect(await read({ worker, commitGraph: true })).toBe(0)
    expect(await read({ worker, commitGraph: false })).toBe(130)
  }
  const config = path.join(folder, 'config')
  const text = readFileSync(config)
  writeFileSync(config, `${text}[core]\n\tcommitGraph = false\n`)
  expect(await read({ commitGraph: true })).toBe(130)
  writeFileSync(config, text)
})

test('a list that is left early, and one that is aborted', async () => {
  using repo = await open(folderOf(fixture('walks')))
  using now = openSync(folderOf(fixture('walks')))
  for await (const oid of repo.revList('HEAD')) {
    expect(oid).toBe(now.resolve('HEAD^{commit}'))
    break
  }
  const signal = AbortSignal.abort()
  expect(await codeOf(() => repo.countCommits('HEAD', { signal }))).toBe('ABORTED')
  expect(await codeOf(() => repo.mergeBase('HEAD', 'main', { signal }))).toBe('ABORTED')
})

test('revisions that do not resolve are errors', async () => {
  using repo = await open(folderOf(fixture('walks')))
  expect(await codeOf(() => repo.countCommits('nope'))).toBe('NOT_FOUND')
  expect(await codeOf(() => repo.countCommits('1'.repeat(40)))).toBe('NOT_FOUND')
  expect(await codeOf(() => repo.mergeBase('main', 'a-blob'))).toBe('WRONG_TYPE')
  expect(await codeOf(() => repo.mergeBases(['main']))).toBe('BAD_INPUT')
})
