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

test('paths in quotes on standard input', () => {
  const lines = ['"tab\\tname.log"', '"\\303\\251x"', 'a"b.log', '"a\\\\.log"', '"x.log" and more']
  for (const flags of [[], ['-v', '-n'], ['-z']]) {
    compare(place, ['--stdin', ...flags], `${lines.join('\n')}\n`)
  }
  for (const bad of ['"', '"a', '"\\x.log"', '"\\9.log"', '""', '']) {
    compare(place, ['--stdin'], `a.log\n${bad}\nb.log\n`)
  }
})

test('a directory with a slash is decided by its own file', () => {
  for (const lines of ['*', '/*', '**', '?*', '!*', '*/', 'own', '*.o']) {
    write(place, 'own/.gitignore', `${lines}\n`)
    mkdirSync(path.join(place, 'own/deep'), { recursive: true })
    compare(place, ['-v', '-n', 'own/', 'own', 'own/deep/', 'own/deep', 'own/'])
    compare(path.join(place, 'own'), ['-v', '-n', '.', './', 'deep/', '../own/'])
    compare(place, ['-v', '-n', '--no-index', 'own/', 'b/', 'b/d/', 'x/'])
  }
  compare(place, ['link/'])
})

test('a `.gitignore` of the index counts where a sparse checkout left it out', () => {
  const sparse = path.join(folder, 'sparse')
  gitIn(folder, 'init', '-q', sparse)
  write(sparse, 'a/.gitignore', '*.o\n')
  write(sparse, '.gitignore', '*.p\n')
  gitIn(sparse, 'add', '.')
  gitIn(sparse, 'update-index', '--skip-worktree', 'a/.gitignore')
  rmSync(path.join(sparse, 'a/.gitignore'))
  rmSync(path.join(sparse, '.gitignore'))
  for (const flags of [[], ['--no-index']]) {
    compare(sparse, ['-v', '-n', ...flags, 'a/x.o', 'a/x.p', 'x.p'])
  }
})

test('core.ignoreCase', () => {
  const folded = path.join(folder, 'folded')
  gitIn(folder, 'init', '-q', folded)
  write(folded, '.gitignore', '*.Log\nBuild/\n/Sub/*.c\nÉ\n[a-c]x\n?Yz\n')
  write(folded, 'Sub/.gitignore', 'Own\n')
  const paths = [
    ...['a.LOG', 'build/x', 'BUILD', 'sub/a.C', 'é', 'É', 'Bx', 'byZ', 'sub/own', 'Sub/OWN'],
    ...['.log', 'og', 'A.txt'],
  ]
  for (const value of ['true', 'false']) {
    gitIn(folded, 'config', 'core.ignoreCase', value)
    compare(folded, ['-v', '-n', ...paths])
  }
  gitIn(folded, 'config', '--unset', 'core.ignoreCase')
  compareWithGit(folded, ['-c', 'core.ignoreCase=true', 'check-ignore', '-v', '-n', ...paths])
})
