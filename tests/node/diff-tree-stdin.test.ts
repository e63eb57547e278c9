/** `packlens diff-tree --stdin` and `-m`: the answers of git, over a made history. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-diff-tree-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const repository = path.join(folder, 'lines')
/** Ids of commits with no, one and two parents, of trees and of a file. */
let ids: Record<'root' | 'plain' | 'merge' | 'older' | 'tree' | 'olderTree' | 'blob', string>

function id(...args: string[]): string {
  return git(repository, args).toString().trim()
}

beforeAll(() => {
  git(repository, ['init', '-q', '--bare', repository])
  git(repository, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 120))
  ids = {
    root: id('rev-list', '--max-parents=0', '-n1', 'main'),
    plain: id('rev-list', '--no-merges', '-n1', 'main'),
    merge: id('rev-list', '--merges', '-n1', 'main'),
    older: id('rev-parse', 'main~9'),
    tree: id('rev-parse', 'main^{tree}'),
    olderTree: id('rev-parse', 'main~9^{tree}'),
    blob: id('rev-parse', 'main:two.c'),
  }
})

/** Compares the answers with git's; returns what is printed. */
function compare(args: readonly string[], stdin = ''): string {
  const all = ['--git-dir', repository, 'diff-tree', ...args]
  const { status, stdout, stderr } = spawnSync('git', all, { env: environment, input: stdin })
  const own = run(folder, all, { stdin })
  const answer = [own.exit, own.stdout.toString('latin1'), own.stderr]
  expect(answer, args.join(' ')).toEqual([
    status,
    stdout.toString('latin1'),
    stderr.toString('latin1'),
  ])
  return stdout.toString('latin1')
}

const FORMATS = [
  ['-r'],
  ['-r', '-p', '--root'],
  ['--name-only', '-m', '-z'],
  ['-r', '-m', '--stat', '--no-commit-id'],
  ['-c', '--root'],
  ['--cc', '-m', '-r'],
  ['-m', '--cc'],
]

test.each(FORMATS)('lines of standard input with %s %s %s', (...options) => {
  const { root, plain, merge, older, tree, olderTree } = ids
  const lines = [root, plain, merge, `${plain.toUpperCase()} trailing`, `${olderTree} ${tree}`]
  const named = [`${plain} ${older}`, `${plain} ${older} ${root}`]
  const all = [...lines, ...named, 'no id', '', plain.slice(0, 12), '0'.repeat(plain.length)]
  const printed = compare(['--stdin', ...options], `${all.join('\n')}\n`)
  expect(printed.length).toBeGreaterThan(200)
  expect(printed).toContain(`no id\n\n${plain.slice(0, 12)}\n`)
})

test('paths limit the answers, which follow what the arguments name', () => {
  const { plain, merge, older } = ids
  const limited = compare(['--stdin', '-r', '-m', '--', 'two.c'], `${plain}\n${merge}\n${older}\n`)
  expect(limited).toContain('two.c')
  expect(limited).not.toContain('one.c')
  compare(['--stdin', '-r', older, plain], `${merge}\n${older}\n`)
})

test('what cannot be compared is said, and the next line answered', () => {
  const { plain, older, tree, olderTree, blob } = ids
  const lines = [blob, tree, `${tree}  ${olderTree}`, `${tree} ${older}`, `${tree} x`, plain]
  const printed = compare(['--stdin', '-r'], `${lines.join('\n')}\n`)
  expect(printed.startsWith(`${plain}\n:`)).toBe(true)
})

test.each([['-m'], ['-m', '-r', '-p'], ['-c', '-m', '--numstat'], ['-m', '-c']])(
  'a merge with %s %s %s',
  (...options) => {
    const printed = compare([...options, ids.merge])
    const times = printed.split(`${ids.merge}\n`).length - 1
    const parents = id('rev-list', '--parents', '-n1', ids.merge).split(' ').length - 1
    expect(times).toBe(options.at(-1) === '-c' ? 1 : parents)
  },
)

test.each([
  ['-c'],
  ['--cc'],
  ['-c', '-p', '--stat'],
  ['--cc', '--raw', '--numstat', '-z'],
  ['-c', '--name-status', '-M', '--', 'two.c'],
])('parents that a line gives with %s %s %s', (...options) => {
  const { plain, merge, older, root } = ids
  const named = [
    `${plain} ${older} ${root}`,
    `${merge} ${root} ${older} ${plain}`,
    `${merge} ${older}`,
    `${root} ${plain} ${plain}`,
    `${merge} ${merge} ${merge}`,
    `${merge} ${older} ${root} trailing`,
  ]
  const printed = compare(['--stdin', ...options], `${named.join('\n')}\n`)
  expect(printed).toContain(`${plain}`)
  expect(printed).not.toEqual(compare(['--stdin', ...options], `${plain}\n${merge}\n${root}\n`))
})

test.each([
  ['--exit-code', '-r'],
  ['--quiet'],
  ['--quiet', '-m', '--root'],
  ['--quiet', '--cc'],
  ['--quiet', '--no-commit-id', '-p', '--stat'],
  ['--quiet', '--diff-filter=M'],
  ['--quiet', '-w', '-Ireturn'],
  ['--exit-code', '-s'],
  ['--exit-code', '--check', '--root'],
  ['-s', '-c'],
  ['-p', '-s'],
  ['--exit-code', '-w', '-p'],
  ['--exit-code', '-r', '-Sreturn'],
])('of %s %s %s the exit code, and which ids are printed', (...options) => {
  const { root, plain, merge, olderTree, tree, older } = ids
  const pair = `${olderTree} ${tree}`
  const same = `${tree} ${tree}`
  const orders = [
    [plain],
    [pair],
    [same],
    [merge],
    [root],
    [plain, plain],
    [pair, same],
    [same, pair],
  ]
  const longer = [
    [plain, root, merge, plain, pair],
    [pair, pair, pair],
    [merge, merge, plain],
    [`${plain} ${older}`, root, same, `${merge} ${root} ${plain}`],
  ]
  for (const lines of [...orders, ...longer]) {
    compare(['--stdin', ...options], `${lines.join('\n')}\n`)
  }
  for (const named of [[plain], [merge], [root], [older, plain], [plain, plain]]) {
    compare([...options, ...named])
  }
})
