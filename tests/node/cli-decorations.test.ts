/** Which refs `log --decorate` prints, and as what, beside git. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { oddHistory } from '../fixtures/log-history.mjs'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { madeHistory } from './recorded-answers.ts'

const CORE = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'
const folder = madeHistory('cli-decorations', oddHistory)
beforeAll(() => {
  for (const name of ['heads/oct/a/b', 'heads/octopus', 'remotes/origin/main', 'tags/light']) {
    git(folder, ['update-ref', `refs/${name}`, 'main~1'])
  }
  for (const name of ['stash', 'hidden/x', 'bisect/bad']) {
    git(folder, ['update-ref', `refs/${name}`, 'main~1'])
  }
  git(folder, ['replace', 'main~1', 'main~2'])
})

const ask = (...args: string[]) => ['--git-dir', folder, 'log', '-4', '--format=%s%d', ...args]

test.each(
  [
    '--decorate=full',
    '--decorate-refs=heads/oct*',
    '--decorate-refs=oct*',
    '--decorate-refs=refs/heads/oct*',
    '--decorate-refs=heads/oct/?/b',
    '--decorate-refs=heads',
    '--decorate-refs=heads/',
    '--decorate-refs=heads/main',
    '--decorate-refs=main',
    '--decorate-refs=HEAD',
    '--decorate-refs=*',
    '--decorate-refs=',
    '--decorate-refs=replace',
    '--decorate-refs tags',
    '--decorate-refs',
    '--no-decorate-refs',
    '--no-decorate-refs=heads',
    '--decorate-refs=heads --no-decorate-refs',
    '--decorate-refs-exclude=HEAD',
    '--decorate-refs-exclude=heads/*',
    '--decorate-refs-exclude=tags --no-decorate-refs-exclude',
    '--decorate-refs=heads --decorate-refs-exclude=heads/oct*',
    '--clear-decorations',
    '--clear-decorations --decorate-refs=tags',
    '--decorate-refs=tags --clear-decorations --decorate=full',
    '--color --decorate-refs=hidden --decorate-refs=replace',
  ].map((line) => [line, line.split(' ')] as const),
)('log %s', (_, args) => {
  writeFileSync(path.join(folder, 'config'), CORE)
  compareWithGit(folder, ask(...args))
})

test.each([
  ['log.excludeDecoration', '[log]\n\texcludeDecoration = heads/\n', []],
  ['several', '[log]\n\texcludeDecoration = heads/*\n\texcludeDecoration = stash\n', []],
  ['an option for more', '[log]\n\texcludeDecoration = heads\n', ['--decorate-refs=heads/main']],
  [
    'an option against more',
    '[log]\n\texcludeDecoration = heads\n',
    ['--decorate-refs-exclude=tags'],
  ],
  ['--clear-decorations', '[log]\n\texcludeDecoration = heads\n', ['--clear-decorations']],
  ['log.initialDecorationSet', '[log]\n\tinitialDecorationSet = all\n', []],
  ['another value of it', '[log]\n\tinitialDecorationSet = some\n', []],
] as const)('the configuration: %s', (_, config, more) => {
  writeFileSync(path.join(folder, 'config'), CORE + config)
  compareWithGit(folder, ask(...more))
})

test('log.decorate without a value decorates', () => {
  writeFileSync(path.join(folder, 'config'), `${CORE}[log]\n\tdecorate\n`)
  compareWithGit(folder, ['--git-dir', folder, 'log', '--oneline', '-3'])
})

test('a commit without replace refs is not called replaced', () => {
  writeFileSync(path.join(folder, 'config'), CORE)
  compareWithGit(folder, ['--no-replace-objects', ...ask()])
})

test('replacements may be elsewhere', () => {
  writeFileSync(path.join(folder, 'config'), CORE)
  git(folder, ['update-ref', `refs/other/${git(folder, ['rev-parse', 'main~3'])}`.trim(), 'main'])
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_REPLACE_REF_BASE: 'refs/other/' }
  compareWithGit(folder, ask(), { env })
  compareWithGit(folder, ask('--decorate-refs=other'), { env })
  compareWithGit(folder, ask('--clear-decorations'), { env })
})

test('a history that decorations simplify takes the usual ones', () => {
  writeFileSync(path.join(folder, 'config'), CORE)
  const { exit, stderr } = run(folder, ask('--simplify-by-decoration', '--decorate-refs=tags'))
  expect([exit, stderr.split('\n')[0]]).toEqual([
    128,
    'fatal: packlens log does not support --simplify-by-decoration of chosen refs',
  ])
})
