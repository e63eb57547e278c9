/** Options that decide which lines patches have: `-R`, `-W`, `-I`, `-D`, `--binary`, as in git. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FilePatch } from 'packlens'
import { openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-hunks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const work = path.join(folder, 'work')
/** Bytes that deflating does not shorten, and that are no text. */
const noise = (seed: number, length: number) => {
  const number = (at: number) => Math.imul(Math.imul(at, seed * 40_503), 2_654_435_761 + seed)
  return Buffer.from(Array.from({ length }, (_, at) => number(at) >>> 24))
}

function git(args: readonly string[], input: Uint8Array = new Uint8Array(), exits = [0]): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: work, env: environment, input })
  if (!exits.includes(status ?? -1)) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

function write(files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(work, name), content)
}

function code(first: string, second: string): string {
  const body = (word: string) => `${'  same();\n'.repeat(9)}  ${word};\n${'  more();\n'.repeat(9)}`
  return `/* of one */\none() {\n${body(first)}}\n\n\ntwo() {\n${body(second)}}\n`
}

beforeAll(() => {
  mkdirSync(work)
  git(['init', '-q', '-b', 'main'])
  write({ 'code.c': code('a = 1', 'b'), gone: 'one\ntwo\n', 'gone.bin': noise(1, 9) })
  write({ 'changed.bin': noise(1, 300), 'same name': 'x\n'.repeat(40) })
  write({ rewritten: Array.from({ length: 60 }, (_, at) => `old ${at}\n`).join('') })
  git(['add', '.'])
  git(['commit', '-q', '-m', 'first'])
  git(['rm', '-q', 'gone', 'gone.bin'])
  git(['mv', 'same name', 'moved'])
  write({ 'code.c': code('a = 2', 'c'), 'changed.bin': noise(7, 333), 'new.bin': noise(3, 52) })
  write({ rewritten: Array.from({ length: 70 }, (_, at) => `new ${at * at}\n`).join('') })
  write({ 'empty.bin': '' })
  git(['add', '.'])
  git(['commit', '-q', '-m', 'second'])
  git(['checkout', '-q', '-b', 'side', 'main~1'])
  write({ 'code.c': code('a = 3', 'b') })
  git(['commit', '-q', '-a', '-m', 'third'])
  git(['checkout', '-q', 'main'])
  git(['merge', '-q', '-s', 'ours', '--no-commit', 'side'])
  write({ 'code.c': code('a = 4', 'd') })
  git(['commit', '-q', '-a', '-m', 'merged'])
})

const OPTIONS = [
  ['-R'],
  ['-R', '--raw', '-p', '--stat', '--summary'],
  ['-R', '-M', '-D', '--name-status'],
  ['-W'],
  ['-W', '-U0'],
  ['-W', '-R', '--numstat', '-p'],
  ['-W', '--no-function-context'],
  ['-I=', '-U1'],
  ['-Ia = [0-9]', '-Ib|c'],
  ['--ignore-matching-lines', '^  [a-z];$', '--stat'],
  ['-I.', '-p', '--raw'],
  ['-D'],
  ['-D', '-B', '-p', '--stat'],
  ['--irreversible-delete', '-R', '-B'],
]

test.each(OPTIONS)('diff, diff-tree, log and show take %s %s %s %s', (...options) => {
  for (const [command, ...args] of [
    ['diff', 'main~2', 'main'],
    ['diff-tree', '-r', 'main~2', 'main~1'],
    ['log', '--format=%s', '-p', 'main'],
    ['show', '--format=%s', 'main~1'],
  ]) {
    const all = [command ?? '', ...options, ...args]
    const own = run(work, all)
    expect(own.stderr.toString()).toBe('')
    expect(own.stdout.toString('latin1'), all.join(' ')).toBe(git(all).toString('latin1'))
  }
})

test('patches of merges are printed without these options, or refused', () => {
  for (const options of [['-W'], ['-R', '--no-renames']]) {
    const args = ['show', ...options, '--format=%s', 'main']
    expect(run(work, args).stdout.toString()).toBe(git(args).toString())
  }
  for (const all of [
    ['diff-tree', '--cc', '-Ix', 'main'],
    ['show', '-Ix', 'main'],
  ]) {
    const { exit, stderr } = run(work, all)
    const why = "combined diff and '--ignore-matching-lines' cannot be used together"
    expect([exit, stderr.toString()]).toEqual([128, `fatal: ${why}\n`])
  }
  const reversed = run(work, ['show', '-R', 'main'])
  expect(reversed.exit).toBe(128)
  expect(reversed.stderr.toString()).toContain('does not support such -R with -c or --cc')
})

/** Returns a patch without the digits of its binary contents, which are deflated otherwise. */
function withoutDigits(patch: Buffer): string {
  return patch.toString('latin1').replaceAll(/^[A-Za-z][^ \n]{5,}\n/gm, '')
}

test.each([[[]], [['-R']], [['-D']], [['-M', '-B']]])('binary patches with %j', (options) => {
  const args = ['diff', '--binary', ...options, 'main~2', 'main']
  const { stdout, exit } = run(work, args)
  expect(exit).toBe(0)
  expect(withoutDigits(stdout)).toBe(withoutDigits(git(args)))
  const sizes = options.includes('-R') ? [300, 333] : [333, 300]
  const literals = sizes.map((size) => `literal ${size}\n\n`).join('')
  expect(withoutDigits(stdout)).toContain(`GIT binary patch\n${literals}`)
})

test.each([['--binary'], ['--binary', '-R'], ['--binary', '-M', '-W']])(
  'git apply takes patches of %s %s %s',
  (...options) => {
    const [from, to] = options.includes('-R') ? ['main', 'main~2'] : ['main~2', 'main']
    const patch = run(work, ['diff', ...options, 'main~2', 'main']).stdout
    git(['read-tree', from])
    git(['apply', '--cached'], patch)
    expect(git(['write-tree']).toString()).toBe(git(['rev-parse', `${to}^{tree}`]).toString())
    // The other half of a binary patch is its reverse.
    git(['apply', '--cached', '-R'], patch)
    expect(git(['write-tree']).toString()).toBe(git(['rev-parse', `${from}^{tree}`]).toString())
  },
)

test('patches and diffText take these options', () => {
  using repo = openSync(work)
  const joined = (patches: Iterable<FilePatch>) =>
    Buffer.concat([...patches].map(({ bytes }) => bytes)).toString('latin1')
  const compared = [
    [{ reverse: true }, ['-R']],
    [{ functionContext: true }, ['-W']],
    [{ ignoreLines: 'a = ' }, ['-Ia = ']],
    [{ ignoreLines: ['a = ', Buffer.from('b|c')] }, ['-Ia = ', '-Ib|c']],
    [{ irreversibleDelete: true, rewrites: true }, ['-D', '-B']],
  ] as const
  for (const [options, flags] of compared) {
    const patches = repo.patches('main~2', 'main', { ...options, abbrev: 'auto' })
    const expected = git(['diff-tree', '-r', '-p', ...flags, 'main~2', 'main'])
    expect(joined(patches), flags.join(' ')).toBe(expected.toString('latin1'))
  }
  const rewritten = [
    ...repo.patches('main~2', 'main', { irreversibleDelete: true, rewrites: true }),
  ]
  const hunk = rewritten.find((patch) => patch.path === 'rewritten')?.hunks[0]
  expect([hunk?.oldStart, hunk?.oldLines, hunk?.newLines]).toEqual([0, 0, 70])
  const binary = [...repo.patches('main~2', 'main', { binary: true })]
  const changed = binary.find((patch) => patch.path === 'changed.bin')
  expect([changed?.kind, changed?.hunks]).toEqual(['binary', []])
  expect(changed?.toString()).toContain('\nGIT binary patch\nliteral 333\n')
  const [old, now] = [code('a = 1', 'b'), code('a = 2', 'b')]
  expect(repo.diffText(old, now, { ignoreLines: '=' }).hunks).toEqual([])
  const [whole] = repo.diffText(old, now, { functionContext: true }).hunks
  expect([whole?.oldStart, whole?.oldLines]).toEqual([1, 22])
  expect(() => repo.diffText(old, now, { ignoreLines: '(' })).toThrow('(')
  expect(() => repo.diffText(old, now, { ignoreLines: [] })).toThrow('not empty')
})
