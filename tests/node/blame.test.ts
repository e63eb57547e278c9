/** The commits that last changed lines: those of git blame, over made histories. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import type { BlamedLines, BlameOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { looseObjects } from './sources.ts'
import { collect, errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-blame-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const plain = path.join(folder, 'plain')
const filtered = path.join(folder, 'filtered')

beforeAll(() => {
  git(plain, ['init', '-q', '--bare', plain])
  git(plain, ['fast-import', '--quiet', '--done', '--force'], linesHistory(7, 160))
  git(plain, ['symbolic-ref', 'HEAD', 'refs/heads/main'])
  cpSync(plain, filtered, { recursive: true })
  git(filtered, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'])
})

/** What git printed, by its flags, commit and file: two repositories have the same history. */
const printed = new Map<string, string[]>()

/** What git says of lines, in its order; lines of output as `blame --incremental` prints them. */
function blamed(flags: readonly string[], commit: string, file: Uint8Array): readonly string[] {
  const key = [...flags, commit, Buffer.from(file).toString('latin1')].join('\0')
  const lines = printed.get(key) ?? runBlame(flags, commit, file)
  printed.set(key, lines)
  return lines
}

function runBlame(flags: readonly string[], commit: string, file: Uint8Array): string[] {
  const name = Buffer.from(file).toString('latin1')
  // A shell, because Node only passes arguments that are UTF-8.
  const quoted = `"$(printf '${[...file].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}')"`
  const command = `git --git-dir "$0" -c core.quotePath=false blame --incremental ${flags.join(' ')} "$1" -- ${quoted}`
  const { stdout, stderr, status } = spawnSync('sh', ['-c', command, plain, commit])
  expect({ status, stderr: stderr.toString() }, name).toEqual({ status: 0, stderr: '' })
  return stdout.toString('latin1').split('\n')
}

/** Returns lines as git prints them, and what it says of each commit with its first lines. */
function answers(lines: readonly string[]) {
  const found: string[] = []
  const facts = new Map<string, { previous: string | null; isBoundary: boolean }>()
  let head = ''
  for (const line of lines) {
    const [commit = ''] = head.split(' ')
    if (/^[0-9a-f]{40} \d+ \d+ \d+$/.test(line)) {
      head = line
      const [id = ''] = line.split(' ')
      if (!facts.has(id)) facts.set(id, { previous: null, isBoundary: false })
    } else if (line === 'boundary') facts.set(commit, { previous: null, isBoundary: true })
    else if (line.startsWith('previous ') && facts.get(commit)?.previous === null) {
      const isBoundary = facts.get(commit)?.isBoundary ?? false
      facts.set(commit, { previous: line.slice('previous '.length), isBoundary })
    } else if (line.startsWith('filename ')) found.push(`${head} ${line.slice('filename '.length)}`)
  }
  return { found, facts }
}

function asPrinted(lines: readonly BlamedLines[]) {
  const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
  const found = lines.map(
    ({ commit, oldStart, start, count, pathBytes }) =>
      `${commit} ${oldStart} ${start} ${count} ${latin1(pathBytes)}`,
  )
  const facts = new Map<string, { previous: string | null; isBoundary: boolean }>()
  for (const { commit, previous, previousPathBytes, isBoundary } of lines) {
    if (facts.get(commit)?.previous) continue
    const before = previous && previousPathBytes
    const text = before ? `${previous.commit} ${latin1(previousPathBytes)}` : null
    facts.set(commit, { previous: text, isBoundary })
  }
  return { found, facts }
}

const CASES: [flags: string[], options: BlameOptions][] = [
  [[], {}],
  [['-w'], { ignoreSpace: 'all' }],
  [['--first-parent'], { firstParent: true }],
  [
    ['-L2,5', '-L7,9'],
    {
      lines: [
        [2, 5],
        [7, 9],
      ],
    },
  ],
  [['-M'], { moves: true }],
  [['-M5', '-w'], { moves: true, moveScore: 5, ignoreSpace: 'all' }],
  [['-C'], { copies: 'changed' }],
  [['-C', '-C8'], { copies: 'created', copyScore: 8 }],
  [['-M40', '-C', '-C', '-C10'], { copies: 'any', moveScore: 40, copyScore: 10 }],
]

describe.each([
  ['without a commit-graph', () => plain],
  ['with filters of changed paths', () => filtered],
])('%s', (_, dir) => {
  test.each(CASES)('lines are those of git blame %j', (flags, options) => {
    using repo = openSync(dir())
    let ranges = 0
    let renamed = 0
    const commits = git(plain, ['rev-list', '--all'])
    for (const commit of commits.filter((_, at) => at % 12 === 3)) {
      for (const { pathBytes, oid } of repo.walk(commit, { recursive: true, trees: false })) {
        const { data } = repo.readBlob(oid)
        if (options.lines && data.filter((byte) => byte === 10).length < 9) continue
        const lines = [...repo.blame(commit, pathBytes, options)]
        const [own, theirs] = [asPrinted(lines), answers(blamed(flags, commit, pathBytes))]
        if (options.copies) {
          // The files of one commit may come in another order.
          expect(own.found.sort(), commit).toEqual(theirs.found.sort())
        } else expect(own, commit).toEqual(theirs)
        ranges += lines.length
        renamed += lines.filter((one) => !Buffer.from(one.pathBytes).equals(pathBytes)).length
      }
    }
    expect(ranges).toBeGreaterThan(options.lines ? 50 : 500)
    expect(renamed).toBeGreaterThan(options.firstParent ? -1 : 5)
  })
})

/** Options that name commits: those before a commit, and those that changed a file. */
const OF_COMMITS: [
  name: string,
  (before: readonly string[], own: readonly string[]) => [flags: string[], options: BlameOptions],
][] = [
  [
    'ignored commits',
    (_, own) => {
      const ignore = own.filter((_, at) => at % 3 === 1)
      return [ignore.flatMap((commit) => ['--ignore-rev', commit]), { ignore }]
    },
  ],
  [
    'ignored, with moves',
    (_, own) => [['-M', `--ignore-rev=${own[0]}`], { moves: true, ignore: `${own[0]}` }],
  ],
  ['excluded commits', (before) => [[`^${before[9]}`], { exclude: `${before[9]}` }]],
]

describe.each(OF_COMMITS)('%s', (name, choose) => {
  test('lines are those of git blame', () => {
    using repo = openSync(plain)
    const marked = { guessed: 0, ignored: 0, cut: 0 }
    for (const commit of git(plain, ['rev-list', 'main']).filter((_, at) => at % 9 === 3)) {
      const before = git(plain, ['rev-list', commit])
      if (before.length < 10) continue
      for (const file of ['one.c', 'two.c']) {
        if (git(plain, ['ls-tree', commit, file]).length === 0) continue
        const own = git(plain, ['log', '--format=%H', '--follow', commit, '--', file])
        const [flags, options] = choose(before, own)
        const lines = [...repo.blame(commit, file, options)]
        const expected = answers(blamed(flags, commit, Buffer.from(file)))
        expect(asPrinted(lines), `${commit} ${flags}`).toEqual(expected)
        marked.guessed += lines.filter((one) => one.isGuessed).length
        marked.ignored += lines.filter((one) => one.isIgnored).length
        marked.cut += lines.filter((one) => one.isCut).length
      }
    }
    const { guessed, ignored, cut } = marked
    if (name === 'excluded commits') expect(cut).toBeGreaterThan(20)
    else expect(Math.min(guessed, ignored)).toBeGreaterThan(5)
  })
})

test('history ends at old commits', () => {
  using repo = openSync(plain)
  for (const seconds of git(plain, ['log', '--format=%ct', 'main']).filter(
    (_, at) => at % 20 === 5,
  )) {
    const lines = [...repo.blame('main', 'one.c', { since: Number(seconds) })]
    const flags = [`--since=${seconds}`]
    expect(asPrinted(lines)).toEqual(answers(blamed(flags, 'main', Buffer.from('one.c'))))
    expect(lines.some((one) => one.isCut)).toBe(true)
  }
})

test('in reverse, lines are followed to their last commits', () => {
  using repo = openSync(plain)
  const [tip] = git(plain, ['rev-parse', 'main'])
  let moved = 0
  for (const start of git(plain, ['rev-list', 'main']).filter((_, at) => at % 15 === 14)) {
    if (git(plain, ['ls-tree', start, 'one.c']).length === 0) continue
    const range = `${start}..main`
    const lines = [...repo.blame(range, 'one.c', { reverse: true })]
    const expected = answers(blamed(['--reverse'], range, Buffer.from('one.c')))
    expect(asPrinted(lines), start).toEqual(expected)
    moved += lines.filter(({ commit }) => commit !== start && commit !== tip).length
  }
  expect(moved).toBeGreaterThan(20)
})

test('ranges in reverse that are none are refused', async () => {
  using repo = openSync(plain)
  const ask = (spec: string, options: BlameOptions) =>
    errorOf(() => [...repo.blame(spec, 'one.c', options)])
  expect(await ask('main...main~1', {})).toMatchObject({ code: 'BAD_INPUT' })
  const line = new Set(git(plain, ['rev-list', '--first-parent', 'main']))
  const aside = git(plain, ['rev-list', 'main']).find(
    (commit) => !line.has(commit) && git(plain, ['ls-tree', commit, 'one.c']).length > 0,
  )
  const found = await ask(`${aside}..main`, { reverse: true, firstParent: true })
  expect(found).toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringMatching(/first parents do not lead/),
  })
})

test('filters spare trees', () => {
  const objects = (commitGraph: boolean) => {
    using repo = openSync(filtered, { commitGraph })
    const count = [...repo.blame('main', 'one.c')].length
    return { count, objects: repo.stats().objects }
  }
  const [without, withFilters] = [objects(false), objects(true)]
  expect(withFilters.count).toBe(without.count)
  expect(withFilters.objects).toBeLessThan(without.objects)
})

test('the same lines come from a worker, and as plain data', async () => {
  using here = openSync(plain)
  const all = [...here.blame('main', 'one.c')]
  await using there = await open(plain, { worker: true })
  expect(await collect(there.blame('main', 'one.c'))).toEqual(all)
  const [first] = all
  if (!first) throw new Error('no lines')
  const { pathBytes, previousPathBytes, ...data } = first
  expect([pathBytes, previousPathBytes].length).toBe(2)
  expect(JSON.parse(JSON.stringify(first))).toEqual(data)
  expect(inspect(first)).toBe(inspect(first.toJSON()))
})

test('what is no file, or has no such lines, is refused', async () => {
  using repo = openSync(plain)
  const ask = (spec: string, file: string, options: BlameOptions = {}) =>
    errorOf(() => [...repo.blame(spec, file, options)])
  expect(await ask('main', 'nothing')).toMatchObject({ code: 'NOT_FOUND', subject: 'nothing' })
  expect(await ask('main', 'dir')).toMatchObject({ code: 'NOT_FOUND', subject: 'dir' })
  expect(await ask('main', 'one.c/x')).toMatchObject({ code: 'NOT_FOUND' })
  expect(await ask('main^{tree}', 'one.c')).toMatchObject({ code: 'WRONG_TYPE' })
  const lines: [number, number][] = [[1, 100_000]]
  expect(await ask('main', 'one.c', { lines })).toMatchObject({
    code: 'BAD_INPUT',
    subject: 'one.c',
  })
})

test('an object with the content of another is damage, and nothing is answered from it', async () => {
  const id = (content: string, type: string) => looseObjects([[type, content]]).oids[0] as string
  const blobs = ['one\n', 'one\ntwo\n', 'other\ntwo\n']
  const trees = blobs.map((blob) =>
    Buffer.concat([Buffer.from('100644 file\0'), Buffer.from(id(blob, 'blob'), 'hex')]),
  )
  const person = 'A U Thor <author@example.com> 1300000000 +0000'
  let parent = ''
  const objects: [string, string | Uint8Array][] = blobs.map((blob) => ['blob', blob])
  for (const tree of trees.slice(0, 2)) {
    const { oids } = looseObjects([['tree', tree]])
    const text = `tree ${oids[0]}\n${parent}author ${person}\ncommitter ${person}\n\n`
    parent = `parent ${id(text, 'commit')}\n`
    objects.push(['tree', tree], ['commit', text])
  }
  const { store } = looseObjects(objects)
  const tip = parent.slice('parent '.length, -1)
  using good = openSync(store)
  expect([...good.blame(tip, 'file')].length).toBe(2)
  // The older tree has the content of a third one, in a valid file.
  const { store: other, oids } = looseObjects([['tree', trees[2] as Buffer]])
  const at = (oid: string) => `objects/${oid.slice(0, 2)}/${oid.slice(2)}`
  const tree = looseObjects([['tree', trees[0] as Buffer]]).oids[0] as string
  const damaged = {
    ...store,
    get: (name: string) => {
      return name === at(tree) ? other.get(at(oids[0] as string)) : store.get(name)
    },
  }
  using broken = openSync(damaged)
  expect(await errorOf(() => [...broken.blame(tip, 'file')])).toMatchObject({
    code: 'CORRUPT',
    subject: tree,
  })
  expect(await errorOf(() => [...broken.lastModified(tip)])).toMatchObject({ code: 'CORRUPT' })
  for (const limit of [{ path: 'file' }, { pathspec: 'f*' }]) {
    expect([...good.revList(tip, limit)].length).toBe(2)
    const found = await errorOf(() => [...broken.revList(tip, limit)])
    expect(found).toMatchObject({ code: 'CORRUPT', subject: tree })
  }
})
