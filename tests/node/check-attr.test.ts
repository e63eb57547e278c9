/** `packlens check-attr` prints what git prints, byte for byte. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { gitIn, madeWorktree, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-check-attr-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = madeWorktree(path.join(folder, 'made'))
write(place, '.gitattributes', '[attr]source zz=1 aa\n*.c source !dd eol=lf\n*.bin binary\né* x\n')
write(place, 'b/.gitattributes', '*.c -aa text\nd/ directory\n[attr]not macro\n')
write(place, 'x/.gitattributes', 'y/* fromindex\n')
gitIn(place, 'add', '.')
gitIn(place, 'commit', '-q', '-m', 'attributes')
write(place, '.git/info/attributes', '*.bin -diff info=some\\ value\n')
// The index has it, the work tree does not.
rmSync(path.join(place, 'x/.gitattributes'))
write(place, 'b/.gitattributes', '*.c aa=other text\nd/ directory\n')
symlinkSync('b', path.join(place, 'link'))

function compare(cwd: string, args: readonly string[], stdin = ''): void {
  // git also warns about lines that it ignores.
  const messages = (text: string, exit: number | null) => (exit === 0 ? '' : text.split('\n')[0])
  compareWithGit(cwd, ['check-attr', ...args], { stdin, messages })
}

const PATHS = [
  ['a.c', 'b/a.c', 'x.bin', 'b/x.bin', 'é ü.txt', 'none', 'nothere/a.c'],
  ['x/y/z.txt', 'x/y/new', 'x/y', 'b/d', 'b/d/', 'link/a.c', './a.c', 'b/../a.c', 'tab\tname.c'],
]

describe.each([[['-a']], [['text', 'aa', 'binary', 'nothing']], [['-a', '--cached']]])(
  '%j',
  (flags) => {
    test.each(PATHS)('of %s and others', (...paths) => {
      compare(
        place,
        [...flags, '--', ...paths].filter((arg) => flags[0] !== '-a' || arg !== '--'),
      )
      compare(place, ['--stdin', ...flags], paths.join('\n'))
      compare(place, ['--stdin', '-z', ...flags], paths.join('\0'))
      for (const one of paths) compare(place, [...flags, '--', one])
    })

    test('below a folder', () => {
      compare(path.join(place, 'b'), [...flags, '--', 'a.c', '../a.c', './d/y.c', 'd/'])
    })
  },
)

test('a name is that of one attribute without dashes', () => {
  compare(place, ['aa', 'a.c', 'b/a.c'])
})

test('--source has the files of a tree', () => {
  const source = ['--source', 'HEAD']
  const lines = (args: readonly string[]) => `${run(place, ['check-attr', ...args]).stdout}`
  // Older versions of git have no such option: the index has the same files.
  for (const paths of PATHS) {
    const expected = spawnSync('git', ['check-attr', '--cached', '-a', ...paths], { cwd: place })
    expect(lines([...source, '-a', ...paths])).toBe(`${expected.stdout}`)
  }
  expect(lines([...source, 'aa', 'b/a.c'])).toBe('b/a.c: aa: unset\n')
  expect(run(place, ['check-attr', '--source', 'nothere', '-a', 'a']).exit).toBe(128)
})

test('core.ignoreCase', () => {
  const folded = path.join(folder, 'folded')
  gitIn(folder, 'init', '-q', folded)
  write(folded, '.gitattributes', '*.TXT one\nDir/x two\n*.Bin -diff\ncafÉ three\n[a-c]y four\n')
  write(folded, 'Sub/.gitattributes', 'Own five\n')
  write(folded, '.git/info/attributes', 'INFO six\n')
  write(folded, 'a.bIN', 'before\n')
  gitIn(folded, 'add', '.')
  gitIn(folded, 'commit', '-q', '-m', 'attributes')
  write(folded, 'a.bIN', 'after\n')
  gitIn(folded, 'commit', '-q', '-a', '-m', 'change')
  const paths = ['a.txt', 'dir/X', 'A.BIN', 'café', 'cafÉ', 'By', 'Sub/own', 'sub/Own', 'info']
  for (const value of ['true', 'false']) {
    gitIn(folded, 'config', 'core.ignoreCase', value)
    compare(folded, ['-a', ...paths])
    compare(folded, ['-a', '--cached', ...paths])
    compareWithGit(folded, ['diff', 'HEAD^', 'HEAD'])
    // Older versions of git have no such option.
    const expected = spawnSync('git', ['check-attr', '--cached', '-a', ...paths], { cwd: folded })
    const own = run(folded, ['check-attr', '--source', 'HEAD', '-a', ...paths])
    expect(`${own.stdout}`).toBe(`${expected.stdout}`)
  }
  gitIn(folded, 'config', '--unset', 'core.ignoreCase')
  compareWithGit(folded, ['-c', 'core.ignoreCase=true', 'check-attr', '-a', ...paths])
})

test('a bare repository has info/attributes', () => {
  const bare = path.join(folder, 'bare.git')
  gitIn(folder, 'init', '-q', '--bare', bare)
  write(bare, 'info/attributes', '* x=1\n')
  compare(bare, ['-a', 'some/file'])
})

test('misuse is answered as by git', () => {
  for (const args of [[], ['-a'], ['text'], ['--', 'a'], ['te xt', 'a'], ['-a', 'x', '--', 'y']]) {
    compare(place, args)
  }
  for (const args of [['--stdin'], ['--stdin', '-a', 'a'], ['text', '../x']]) compare(place, args)
})
