/** The mailmaps that the configuration names, beside git. */
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { gitIn, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-mailmaps-'))
const [tree, bare] = [path.join(folder, 'tree'), path.join(folder, 'bare')]
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(() => {
  gitIn(folder, 'init', '-q', '--initial-branch=main', tree)
  write(tree, '.mailmap', 'Committed <a@b>\n')
  write(tree, 'map', 'Of Blob <a@b>\nOther Blob <other@b>')
  write(tree, 'below/file', 'text\n')
  gitIn(tree, 'add', '.')
  gitIn(tree, 'commit', '-q', '-m', 'one')
  gitIn(tree, '-c', 'user.email=other@b', 'commit', '-q', '--allow-empty', '-m', 'two')
  gitIn(folder, 'clone', '-q', '--bare', tree, bare)
  write(tree, '.mailmap', 'Of File <a@b>')
  for (const place of [tree, bare]) write(place, 'named', 'Named <a@b>\n')
  symlinkSync('named', path.join(tree, 'link'))
  write(folder, 'outside', 'Outside <other@b>\n')
})

const ASKED = [
  ['log', '--format=%aN <%aE> %an', '--use-mailmap'],
  ['log', '-1', '--no-decorate'],
  ['shortlog', '-se', 'HEAD'],
]

describe.each([
  [[]],
  [['blob=HEAD:map']],
  [['blob=HEAD:missing']],
  [['blob=HEAD:below']],
  [['blob=nothing']],
  [['file=named']],
  [['file=missing']],
  [['file=.']],
  [['file=link']],
  [['file=../outside']],
  [['file=named', 'blob=HEAD:map']],
  [['blob=HEAD:map', 'file=../outside']],
])('%j', (all) => {
  const settings = all.flatMap((one) => ['-c', `mailmap.${one}`])
  test.each([
    ['a work tree', () => tree],
    ['a folder in it', () => path.join(tree, 'below')],
    ['a bare repository', () => bare],
  ])('in %s', (_, place) => {
    for (const args of ASKED) {
      // git reads some mailmaps twice, and warns of a directory, which packlens takes as missing.
      compareWithGit(place(), [...settings, ...args], {
        messages: (text) => text.replace(/^warning: .*\n/gm, '').replace(/^(error: .*\n)\1+/, '$1'),
      })
    }
  })
})

describe('patterns of authors and committers', () => {
  const people = path.join(folder, 'people')
  beforeAll(() => {
    gitIn(folder, 'init', '-q', '--initial-branch=main', people)
    const lines = [
      'New Name <any@b>',
      '<new@c> <Address@b>',
      'Both <both@c> <two@b>',
      'By Name <by@c> One <named@b>',
      '<only@c> TWO <named@b>',
      'No <nothing@b> # a comment',
    ]
    write(people, '.mailmap', `${lines.join('\n')}\n`)
    gitIn(people, 'add', '.')
    const identities = [
      ...[
        ['Old', 'any@b'],
        ['Old', 'ADDRESS@B'],
        ['Old', 'two@b'],
        ['one', 'named@b'],
      ],
      ...[
        ['Two', 'named@b'],
        ['Three', 'named@b'],
        ['Other', 'other@b'],
        ['Ümläut', 'any@b'],
      ],
    ]
    for (const [name = '', email = ''] of identities) {
      const who = ['-c', `user.name=${name}`, '-c', `user.email=${email}`]
      gitIn(people, ...who, 'commit', '-q', '--allow-empty', '-m', `${name} ${email}`)
    }
  })
  test.each([
    ...['--author=New', '--author=Old', '--author=Old <', '--author=new@c>$', '--author=address'],
    ...['--author=Both <both', '--author=By', '--author=One', '--author=only', '--author=Three'],
    ...['--committer=^New Name <any@b>$', '--author=.', '-i --author=by', '--author=nothing'],
    ...['--author=named --author=By', '--committer=Other --author=Other', '--author=mläut'],
  ])('%s', (options) => {
    const asked = ['--format=%s', ...options.split(' -').map((one, at) => (at ? `-${one}` : one))]
    for (const how of [[], ['--no-mailmap'], ['--no-walk', 'main', 'main~3']]) {
      compareWithGit(people, ['log', ...how, ...asked])
    }
    // Versions after 2.55.0 move roots, and older ones ignore the variable.
    compareWithGit(people, ['-c', 'log.graphIndent=false', 'log', '--graph', ...asked])
    compareWithGit(people, ['-c', 'log.mailmap=false', 'log', ...asked])
    compareWithGit(people, ['show', '-s', ...asked, 'main', 'main~5', 'main~7'])
    compareWithGit(people, ['rev-list', asked.slice(1), 'main'].flat())
  })
})

test('a huge one is refused', () => {
  writeFileSync(path.join(tree, 'huge'), '')
  truncateSync(path.join(tree, 'huge'), 1 << 30)
  const { exit, stderr } = run(tree, ['-c', 'mailmap.file=huge', 'log', '--format=%aN'])
  expect([exit, stderr.split(':')[1]]).toEqual([
    128,
    ' packlens reads no mailmap of 1073741824 bytes',
  ])
})
