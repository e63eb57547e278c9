/** Changes below a folder are those of `git diff-tree --relative`, with paths from there. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { oddHistory } from '../fixtures/log-history.mjs'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { rawChange } from './raw-change.ts'
import { madeHistory } from './recorded-answers.ts'
import { collect } from './support.ts'

const folder = madeHistory('relative', oddHistory)
const [old, now] = ['main~9', 'main'] as const

// A prefix need not end where a name ends.
test.each([['dir'], ['dir/'], ['di'], ['moved'], ['moved/two'], ['o'], ['nothing'], ['']])(
  'below %j',
  async (relative) => {
    using repo = openSync(folder)
    await using worker = await open(folder, { worker: true })
    const asked = ['diff-tree', '-r', '-M', `--relative=${relative}`, old, now]
    const found = [...repo.diff(old, now, { renames: true, relative })]
    const raw = execFileSync('git', ['--git-dir', folder, ...asked, '-z', '--raw'])
    expect(`${Buffer.concat(found.map(rawChange))}`).toBe(`${raw}`)
    const bytes = Buffer.from(relative)
    const options = { renames: true, relative: bytes } as const
    expect(await collect(worker.diff(old, now, options))).toEqual(found)
    const patches = [...repo.patches(old, now, options)]
    const printed = git(folder, [...asked, '-p', '--full-index'])
    expect(patches.map(String).join('')).toBe(printed.map((line) => `${line}\n`).join(''))
    expect(patches.map(({ path, oldPath }) => [path, oldPath])).toEqual(
      found.map(({ path, oldPath }) => [path, oldPath]),
    )
  },
)

test('a file of exactly this path has none below it', () => {
  using repo = openSync(folder)
  const [file] = [...repo.diff(old, now, { relative: 'run' })]
  expect([file?.path, file?.oldPath, file?.pathBytes.length]).toEqual(['', '', 0])
})

const top = path.join(folder, 'tree')
const inDir = path.join(top, 'dir')
beforeAll(() => {
  mkdirSync(inDir, { recursive: true })
  // A work tree of the same objects, in which the current folder is below the top.
  git(folder, ['clone', '-q', '--no-checkout', folder, path.join(top, 'clone')])
  renameSync(path.join(top, 'clone', '.git'), path.join(top, '.git'))
})

test.each([
  [['diff', '--relative', '--stat', '-p', 'main~9', 'main']],
  [['diff', '--no-relative', '--name-only', 'main~9', 'main']],
  [['log', '--relative', '--raw', '--oneline', 'main']],
  [['log', '--relative=moved', '--numstat', '--format=%h', 'main']],
  [['log', '--name-status', '--format=%h', 'main', '--', '.', ':/moved']],
  [['show', '--relative', '--summary', 'main~2']],
  [['diff-tree', '-r', 'main~9', 'main']],
  [['diff-tree', '-r', '--relative', 'main~9', 'main']],
])('in a folder of the work tree %j', (args) => {
  for (const config of ['', '[diff]\n\trelative = true\n', '[diff]\n\trelative = false\n']) {
    writeFileSync(path.join(top, '.git', 'config'), `[core]\n\tbare = false\n${config}`)
    for (const cwd of [inDir, top]) compareWithGit(cwd, args)
  }
})

test.each([
  [['log', '--follow', '--relative=dir', '--', 'dir/two'], '--follow'],
  [['log', '-L1,2:one', '--relative=dir', 'main'], '-L'],
])('%j is not supported', (args, option) => {
  const git = path.join(top, '.git')
  const { exit, stderr } = run(folder, ['--git-dir', git, ...args])
  expect([exit, stderr]).toEqual([
    128,
    `fatal: packlens does not support ${option} with --relative\n`,
  ])
})
