/** Paths with bytes above 0x7f: `core.quotePath`, and the columns that they take in tables. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareWithGit } from './beside-git.ts'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-quoted-paths-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const repository = path.join(folder, 'répo')

function git(...args: readonly string[]): void {
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  const { status, stderr } = spawnSync('git', [...person, ...args], {
    ...{ cwd: repository, env: { ...environment, GIT_CONFIG_GLOBAL: '/dev/null' } },
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}

/** Writes a file and commits everything. */
function commit(file: string, content: string): void {
  writeFileSync(path.join(repository, file), content)
  git('add', '-A')
  git('commit', '-q', '-m', file)
}

const LINES = 'one\ntwo\nthree\nfour\nfive\n'

beforeAll(() => {
  mkdirSync(path.join(repository, 'd你好'), { recursive: true })
  git('init', '-q', '-b', 'main')
  commit('plain "quoted"', LINES)
  commit('d你好/f再见', LINES)
  commit('Maß stab', 'a\n')
  commit('binär', '\0\n')
  git('mv', 'd你好/f再见', 'd你好/g再见')
  git('mv', 'binär', 'binär 2')
  commit('Maß stab', 'b\n')
  git('checkout', '-q', '-b', 'side', 'HEAD~1')
  commit('Maß stab', 'c\n')
  git('checkout', '-q', 'main')
  spawnSync('git', ['merge', '-q', 'side'], { cwd: repository, env: environment })
  commit('Maß stab', 'b\nc\n')
  mkdirSync(path.join(repository, 'ü.git'))
  git('init', '-q', '--bare', 'ü.git/shared')
  writeFileSync(
    path.join(repository, '.git/objects/info/alternates'),
    `${path.join(repository, 'ü.git/shared/objects')}\n`,
  )
  writeFileSync(path.join(repository, '.gitignore'), '*ß*\n')
})

describe.each(['true', 'false'])('core.quotePath=%s', (value) => {
  test.each([
    'diff -p --raw --numstat --stat --summary -M main~1~3 main~1',
    'diff -p --no-renames --src-prefix=ä/ --dst-prefix=ö/ main~1~3 main~1',
    'diff --src-prefix=ä/ --dst-prefix=ö/ main~1~3 main~1 -- plain*',
    'diff -R -p --color=always -M main~1~3 main~1',
    'diff --name-status --relative=d你好 main~1~3 main',
    'diff --check main~1 main',
    'diff-tree -r -z main~1 main',
    'diff-tree -r --name-only main~1 main',
    'log --format=%s --stat -p -m',
    'show --cc -p --raw',
    'show -c --combined-all-paths --name-status',
    'ls-tree -r HEAD',
    'ls-tree -r --format=%(path) HEAD',
    'ls-files -s',
    'cat-file -p HEAD^{tree}',
    'grep -n -e . HEAD',
    'grep -z -l one HEAD',
    'blame --porcelain HEAD -- d你好/g再见',
    'check-attr text Maß d你好',
    'check-ignore -v --no-index Maß',
    'count-objects -v',
    'status --short',
    'status --porcelain=v2 --no-ahead-behind',
    'rev-list --objects --all',
    'config --show-origin --get core.bare',
  ])('%s', (args) => {
    compareWithGit(repository, ['-c', `core.quotePath=${value}`, ...args.split(' ')])
  })
})

test('refuses a value that is no boolean', () => {
  const args = ['-c', 'core.quotePath=maybe', 'ls-tree', 'HEAD']
  const { exit, stderr } = run(repository, args)
  expect([exit, stderr]).toEqual([
    128,
    "fatal: bad boolean config value 'maybe' for 'core.quotePath'\n",
  ])
})

// What git 2.55.0.618 prints; 2.39 cuts names elsewhere.
test.each([
  [12, ' d你好/f再见 | 5 +++++'],
  [11, ' d你好/f再见 | 5 +++++'],
  [10, ' .../f再见  | 5 +++++'],
  [9, ' .../f再见 | 5 +++++'],
  [8, ' ...f再见 | 5 +++++'],
  [7, ' ...再见 | 5 +++++'],
  [6, ' ...见  | 5 +++++'],
  [4, ' ...  | 5 +++++'],
  [1, ' ... | 5 +++++'],
])('cuts a name to %i columns', (width, line) => {
  const args = ['diff', `--stat-name-width=${width}`, '--stat', 'main~1~4', 'main~1~3']
  const { stdout } = run(repository, ['-c', 'core.quotePath=false', ...args])
  expect(`${stdout}`.split('\n')[0]).toBe(line)
})
