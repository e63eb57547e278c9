/** Lists of objects that filters make smaller, and those of repositories that lack objects. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSortedTail } from '../../scripts/lib/filter-cases.mjs'
import {
  addTags,
  filteredHistory,
  MISSING,
  PACKED,
  packAndContinue,
  QUESTIONS,
  removeObjects,
} from '../fixtures/filtered-history.mjs'
import { environment, run, unpacked } from './cli-support.ts'
import { codeOf, collect, root } from './support.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'packlens-filtered-'))
const whole = path.join(scratch, 'whole')
const lacking = path.join(scratch, 'lacking')
const packed = path.join(scratch, 'packed')
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

beforeAll(() => {
  for (const gitDir of [whole, lacking, packed]) {
    const git = (args: string[], input?: string | Buffer) => {
      const options = { env: environment, input }
      const { status, stdout, stderr } = spawnSync('git', ['--git-dir', gitDir, ...args], options)
      if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
      return stdout
    }
    git(['init', '-q', '--bare', '--initial-branch=main', gitDir])
    git(['fast-import', '--quiet', '--done', '--force'], filteredHistory())
    addTags(git)
    if (gitDir === lacking) removeObjects(gitDir, git)
    if (gitDir === packed) packAndContinue(git)
  }
})

interface Recorded {
  readonly args: readonly string[]
  readonly of: 'whole' | 'lacking' | 'packed'
  readonly exit: number
  readonly lines: readonly string[]
}

const recorded: Recorded[] = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'filtered.json'), 'utf8'),
)

test('all questions are recorded', () => {
  expect(recorded.map(({ args }) => args.join(' '))).toEqual([...QUESTIONS, ...MISSING, ...PACKED])
})

test.each(
  recorded.map((one) => [`${one.args.join(' ')} of the ${one.of} repository`, one] as const),
)('git rev-list %s', (_, { args, of, exit, lines }) => {
  const answer = run(scratch, ['--git-dir', path.join(scratch, of), 'rev-list', ...args])
  expect(answer.exit, answer.stderr).toBe(exit)
  if (exit !== 0) return
  const own = withSortedTail(answer.stdout).toString('latin1').split('\n').slice(0, -1)
  expect(of === 'packed' ? own.sort() : own).toEqual(lines)
})

test('git refuses what is no filter, and packlens what it lacks', () => {
  const error = (...args: string[]) => {
    const { exit, stderr } = run(scratch, ['--git-dir', whole, 'rev-list', ...args, 'main'])
    return [exit, stderr.split('\n')[0]]
  }
  expect(error('--filter=blob:none')).toEqual([128, 'fatal: object filtering requires --objects'])
  const wrong = ['foo', 'blob:limit=x', 'tree:x', 'object:type=x', 'sparse:oid=none', 'combine:']
  for (const spec of [...wrong, 'sparse:oid=main', 'auto', 'combine:a*b', 'combine:auto+tree:1']) {
    expect(error('--objects', `--filter=${spec}`)[0], spec).toBe(128)
  }
  expect(error('--objects', '--filter=foo')[1]).toBe('fatal: invalid filter-spec: foo')
  const deep = `--filter=${'combine:'.repeat(15_000)}blob:none`
  for (const how of [[], ['--use-bitmap-index']]) {
    const [exit, message] = error('--objects', ...how, deep)
    expect([exit, message]).toEqual([128, expect.stringContaining('too many filters are combined')])
  }
  for (const other of ['--boundary', '--oneline', '--objects -1']) {
    expect(error('--unpacked', ...other.split(' '))[0], other).toBe(128)
  }
})

test('as many objects are counted with bitmaps as without', () => {
  for (const filter of ['blob:none', 'tree:1', 'object:type=tree']) {
    const args = ['--objects', '--count', `--filter=${filter}`, '--all']
    const [plain, counted] = [[], ['--use-bitmap-index']].map((more) => {
      const all = ['--git-dir', whole, 'rev-list', ...more, ...args]
      const { stdout } = spawnSync('git', all, { cwd: scratch, env: environment })
      return [`${run(scratch, all).stdout}`, `${stdout}`]
    })
    expect(counted).toEqual(plain)
    expect(new Set(counted).size, filter).toBe(1)
  }
})

test('filters are options of revListObjects', async () => {
  const linesOf = (filter: string, ...rest: string[]) => {
    const asked = ['--objects', `--filter=${filter}`, ...rest].join(' ')
    const found = recorded.find(({ args }) => args.join(' ') === asked)
    if (!found) throw new Error(`not recorded: ${asked}`)
    return found.lines.filter((line) => !/^[~?]/.test(line)).map((line) => line.slice(0, 40))
  }
  await using repo = await open(whole, { worker: true })
  using same = openSync(whole)
  for (const filter of ['blob:none', 'tree:2', 'sparse:oid=main:patterns', 'object:type=tag']) {
    const listed = await collect(repo.revListObjects('main', { all: true, filter }))
    expect(listed.map(({ oid }) => oid)).toEqual(linesOf(filter, '--all'))
    const strict = { all: true, filter: [filter], filterProvidedObjects: true }
    const provided = [...same.revListObjects('main', strict)].map(({ oid }) => oid)
    const flags = ['--filter-provided-objects', '--filter-print-omitted', '--all']
    expect(provided).toEqual(linesOf(filter, ...flags))
  }
  const both = [...same.revListObjects('main', { filter: ['tree:2', 'blob:none'] })]
  expect(both.filter(({ path }) => path?.includes('/') || path === 'a.txt')).toEqual([])
  expect(await codeOf(() => collect(repo.revListObjects('main', { filter: 'x' })))).toBe(
    'BAD_INPUT',
  )
})

test('missing objects are an error unless they are allowed', async () => {
  await using repo = await open(lacking)
  const listed = (missing?: 'error' | 'allow-any' | 'allow-promisor') =>
    collect(repo.revListObjects('main', { missing }))
  expect(await codeOf(() => listed())).toBe('NOT_FOUND')
  expect(await codeOf(() => listed('error'))).toBe('NOT_FOUND')
  expect(await codeOf(() => listed('allow-promisor'))).toBe('NOT_FOUND')
  expect(await listed('allow-any')).toHaveLength(19)
})

test('promised objects may be missing', async () => {
  const name = path.join(unpacked, 'partial', 'later.git')
  const answers = JSON.parse(readFileSync(path.join(root, 'tests/fixtures/partial.json'), 'utf8'))
  const promised: readonly string[] = answers.later.promised
  await using repo = await open(name)
  expect(await codeOf(() => collect(repo.revListObjects([], { all: true })))).toBe('PROMISED')
  const options = { all: true, missing: 'allow-promisor' } as const
  const oids = (await collect(repo.revListObjects([], options))).map(({ oid }) => oid)
  expect(oids.filter((oid) => promised.includes(oid))).toEqual([])
  const { stdout } = run(name, ['rev-list', '--objects', '--missing=print', '--all'])
  const lines = stdout.toString().split('\n').slice(0, -1)
  expect(lines.slice(0, oids.length).map((line) => line.slice(0, 40))).toEqual(oids)
  const missing = lines.slice(oids.length).map((line) => line.slice(1))
  expect(missing.sort()).toEqual([...promised].sort())
})
