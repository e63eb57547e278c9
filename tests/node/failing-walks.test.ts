/** Walks that reach a missing object print what git prints before it fails. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-failing-walks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const inside = (name: string) => path.join(folder, name)

/** Returns commits for `git fast-import`, each with a file of its own. */
function history(count: number): string {
  const commits = Array.from({ length: count }, (_, at) => {
    const who = `A <a@example.com> ${1_600_000_000 + at * 60} +0000`
    const file = `M 100644 inline d${at % 7}/f${at}\ndata 2\n${at % 10}\n`
    return `commit refs/heads/main\ncommitter ${who}\ndata 2\nc\n${file}`
  })
  return `${commits.join('')}done\n`
}

/** Makes a repository whose objects are loose files. */
function made(name: string, count: number): void {
  git(inside(name), ['init', '-q', '--bare', '-b', 'main', inside(name)])
  const how = ['-c', 'fastimport.unpackLimit=100000', 'fast-import', '--quiet', '--done']
  git(inside(name), how, history(count))
}

beforeAll(() => {
  made('few', 9)
  made('many', 1800)
})

/** Runs a function while an object is missing. */
function without(name: string, spec: string, use: () => void): void {
  const [oid = ''] = git(inside(name), ['rev-parse', spec])
  const file = path.join(inside(name), 'objects', oid.slice(0, 2), oid.slice(2))
  renameSync(file, inside('kept'))
  try {
    use()
  } finally {
    renameSync(inside('kept'), file)
  }
}

const COMMANDS = [
  'rev-list HEAD',
  'rev-list --objects HEAD',
  'rev-list --objects --no-object-names HEAD',
  'rev-list --topo-order HEAD',
  'rev-list --parents HEAD',
  'rev-list --boundary HEAD ^HEAD~3',
  'rev-list --count HEAD',
  'rev-list --format=%s HEAD',
  'log --oneline',
  'log --graph --format=%s',
  'log --topo-order --format=%s',
  'log --format=%s -- d1',
  'log -p -Snothing --format=%s',
  'shortlog HEAD',
]
// Git and packlens name objects in other words.
const messages = (text: string, exit: number | null) => (exit === 0 ? text : undefined)

test.each(['HEAD~4', 'HEAD~2^{tree}', 'HEAD~3:d2', 'HEAD~8:d0/f0', 'HEAD~8'])(
  'without %s',
  (spec) => {
    without('few', spec, () => {
      for (const command of COMMANDS) {
        compareWithGit(inside('few'), command.split(' '), { messages })
      }
    })
  },
)

test('nothing is lost or printed twice where pages end', () => {
  without('many', 'HEAD~1790', () => {
    for (const command of COMMANDS) {
      compareWithGit(inside('many'), command.split(' '), { messages })
    }
    const { exit, stdout } = run(inside('many'), ['rev-list', 'HEAD'])
    expect([exit, `${stdout}`.split('\n').length - 1]).toEqual([128, 1789])
  })
})

test('patches before that of the missing file are printed', () => {
  without('few', 'HEAD:d3/f3', () => {
    const { exit, stdout } = run(inside('few'), ['log', '--format=%s', '-p', '--reverse'])
    expect([exit, `${stdout}`.match(/^diff /gm)?.length]).toEqual([128, 3])
  })
})
