/** `packlens archive` answers as `git archive`: tests/fixtures/archive-answers.mjs. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { archivedHistory, CONFIG, digestOf, QUESTIONS } from '../fixtures/archive-questions.mjs'
import { zipRows } from '../fixtures/archived-trees.mjs'
import { run } from './cli-support.ts'
import { root } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cli-archive-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const gitDir = path.join(folder, '.git')

const recorded: readonly unknown[] = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'archive-answers.json'), 'utf8'),
)

beforeAll(() => {
  git(gitDir, ['init', '-q', '--initial-branch=main'])
  git(gitDir, ['fast-import', '--quiet', '--done'], archivedHistory())
  writeFileSync(path.join(gitDir, 'config'), CONFIG, { flag: 'a' })
})

const archive = (below: string, args: readonly string[]) => {
  mkdirSync(path.join(folder, below), { recursive: true })
  return run(path.join(folder, below), ['archive', ...args])
}

test.each(QUESTIONS.map(([below = '', ...args], at) => [below, args.join(' '), args, at] as const))(
  'in the folder %j: archive %s',
  (below, _, args, at) => {
    const { exit, stdout, stderr } = archive(below, args)
    expect({ exit, stderr, sha1: digestOf(stdout) }).toEqual(recorded[at])
  },
)

test('the level says how much is compressed', () => {
  const made = ['-0', '-1', '-9'].map(
    (level) => archive('', ['--format=zip', level, 'HEAD']).stdout,
  )
  const [zero = 0, one = 0, nine = 0] = made.map((zip) => zip.length)
  expect(zero).toBeGreaterThan(one)
  expect(one).toBeGreaterThanOrEqual(nine)
  const methods = zipRows(made[0] ?? Buffer.alloc(0)).rows.map(({ data }) => data.method)
  expect(new Set(methods)).toEqual(new Set([0]))
})

test('the name of the output says the format; no other program is run', () => {
  const output = (name: string) => path.join(folder, name)
  archive('', ['-o', output('out.tar.gz'), 'HEAD'])
  expect(gunzipSync(readFileSync(output('out.tar.gz'))).length).toBeGreaterThan(0)
  expect(archive('', ['-o', output('out.xz'), 'HEAD'])).toMatchObject({
    exit: 128,
    stderr: "fatal: packlens archive runs no programs: tar.xz.command is 'xz -c'\n",
  })
})

test('a blob that cannot be read ends with the exit code of git', () => {
  const copy = path.join(folder, 'loose')
  git(copy, ['init', '-q', '--bare', '--initial-branch=main', copy])
  git(
    copy,
    ['-c', 'fastimport.unpackLimit=1000', 'fast-import', '--quiet', '--done'],
    archivedHistory(),
  )
  const asked = (...args: string[]) => run(folder, ['--git-dir', copy, ...args])
  const oid = asked('rev-parse', 'HEAD:s/t/q').stdout.toString().trim()
  rmSync(path.join(copy, 'objects', oid.slice(0, 2), oid.slice(2)))
  expect(asked('archive', 'HEAD').exit).toBe(255)
  expect(asked('archive', 'HEAD', 'a').exit).toBe(0)
})
