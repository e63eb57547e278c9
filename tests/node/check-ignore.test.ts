/** `packlens check-ignore` prints what git prints, byte for byte. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { compareWithGit } from './beside-git.ts'
import { gitIn, madeWorktree, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-check-ignore-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = madeWorktree(path.join(folder, 'made'))
write(place, '.gitignore', '*.log\n!keep.log\nbuild/\n/many\n\\#x\né*\n')
write(place, 'b/.gitignore', '*\n!d/\n!*.c\n')
write(place, 'b/d/.gitignore', '!*.log\n')
write(place, '.git/info/exclude', '*.tmp\n*.log\n')
write(place, 'build/out/x.c', '')
write(place, 'b/build', '')
symlinkSync('b', path.join(place, 'link'))
mkdirSync(path.join(place, 'x', 'build'))

function compare(cwd: string, args: readonly string[], stdin = ''): void {
  compareWithGit(cwd, ['check-ignore', ...args], { stdin })
}

const PATHS = [
  ['a.log', 'keep.log', 'x.tmp', 'a.txt', '#x', 'é ü.txt', 'é2'],
  ['build', 'build/', 'build/out/x.c', 'x/build', 'b/build', 'nothere/build'],
  ['b', 'b/x.c', 'b/x.h', 'b/d', 'b/d/new', 'b/d/y.log', 'b/c.txt'],
  ['nothere/', 'build2/', 'x/build/', 'b/c.txt/', 'a.txt/', '.', 'nothere/build/'],
  ['many', 'many/1', 'many/new', 'x', 'x/y/new', 'link', 'tab\tname.log'],
]

describe.each([[[]], [['-v']], [['-v', '-n']], [['--no-index', '-v', '-n']], [['--no-index']]])(
  '%j',
  (flags) => {
    test.each(PATHS)('of %s and others', (...paths) => {
      compare(place, [...flags, ...paths])
      compare(place, [...flags, '--stdin', '-z'], paths.join('\0'))
      compare(place, [...flags, '--stdin'], paths.join('\n'))
      for (const one of paths) compare(place, [...flags, one])
    })

    test('below a folder', () => {
      compare(path.join(place, 'b'), [...flags, 'x.h', '../a.log', './d/y.log', '../b/d'])
      compare(path.join(place, 'b', 'd'), [...flags, 'y.log', 'x.tmp'])
    })
  },
)

test('-q has the exit code alone', () => {
  for (const one of PATHS.flat()) compare(place, ['-q', one])
})

test('a linked worktree has the excluded paths of the repository', () => {
  const linked = path.join(folder, 'linked')
  gitIn(place, 'worktree', 'add', '-q', linked)
  compare(linked, ['-v', 'x.tmp', 'a.log'])
})

test('misuse is answered as by git', () => {
  for (const args of [[], ['-z', 'a'], ['-n', 'a'], ['-q', '-v', 'a'], ['-q', 'a', 'b']]) {
    compare(place, args)
  }
  for (const args of [['--stdin', 'a'], ['../a'], [''], ['link/x']]) compare(place, args)
})

test('core.excludesFile counts, also below the top of the work tree', () => {
  const user = path.join(folder, 'user')
  writeFileSync(user, '*.own\nkeep.log\n')
  for (const file of [user, path.relative(place, user)]) {
    gitIn(place, 'config', 'core.excludesFile', file)
    compare(place, ['-v', 'a.own', 'keep.log', 'b/d/a.own', 'x/a.own'])
    compare(path.join(place, 'b'), ['-v', 'a.own'])
  }
  gitIn(place, 'config', '--unset', 'core.excludesFile')
})
