/** Which refs `log --decorate` prints, and as what, beside git. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { oddHistory } from '../fixtures/log-history.mjs'
import { compareWithGit } from './beside-git.ts'
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

test.each(
  [
    [],
    ['--decorate-refs=tags'],
    ['--decorate-refs=heads/octopus'],
    ['--decorate-refs=none'],
    ['--decorate-refs=hidden', '--topo-order', '--reverse'],
    ['--decorate-refs=replace'],
    ['--decorate-refs-exclude=heads'],
    ['--decorate-refs-exclude=HEAD', '--decorate-refs-exclude=heads/main'],
    ['--clear-decorations'],
    ['--clear-decorations', '--decorate-refs=tags', '--graph'],
    ['--decorate-refs=heads', '--', 'a'],
  ].map((args) => [args.join(' '), args] as const),
)('a history that decorations simplify takes those that are chosen: %s', (_, args) => {
  for (const settings of ['', '[log]\n\texcludeDecoration = heads\n']) {
    writeFileSync(path.join(folder, 'config'), CORE + settings)
    const how = ['--simplify-by-decoration', ...args]
    compareWithGit(folder, ['--git-dir', folder, 'log', '--all', '--format=%s%d', ...how])
    compareWithGit(folder, ['--git-dir', folder, 'log', '--oneline', '--parents', ...how])
  }
  writeFileSync(path.join(folder, 'config'), CORE)
})

test('rev-list and shortlog take all refs', () => {
  writeFileSync(path.join(folder, 'config'), `${CORE}[log]\n\texcludeDecoration = heads\n`)
  const of = ['--git-dir', folder]
  compareWithGit(folder, [...of, 'rev-list', '--simplify-by-decoration', 'HEAD'])
  compareWithGit(folder, [...of, 'shortlog', '--simplify-by-decoration', 'HEAD'])
})
