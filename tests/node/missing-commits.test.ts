/** `rev-list --missing` of commits and of what revisions name: what git 2.55.0.618 prints. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { open } from '../../dist/index.node.js'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-missing-commits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function git(...args: readonly string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  const options = { cwd: folder, env: { ...environment, GIT_CONFIG_GLOBAL: '/dev/null' } }
  const { status, stdout, stderr } = spawnSync('git', [...who, ...args], options)
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return `${stdout}`.trim()
}

/** What answers name in place of ids. */
const NAMES = {
  ...{ fourth: 'main', third: 'main~1', second: 'main~2', first: 'main~3', tag: 'annotated' },
  ...{ root4: 'main^{tree}', root3: 'main~1^{tree}', root2: 'main~2^{tree}' },
  ...{ root1: 'main~3^{tree}', d: 'main:d', space: 'main:d/a b', umlaut: 'main:d/bär' },
  ...{ f1: 'main:1', f2: 'main:2', f3: 'main:3', f4: 'main:4' },
}
const ids = new Map<string, string>()

beforeAll(() => {
  git('init', '-q', '-b', 'main')
  mkdirSync(path.join(folder, 'd'))
  writeFileSync(path.join(folder, 'd/a b'), 'x')
  writeFileSync(path.join(folder, 'd/bär'), 'y')
  for (const name of ['1', '2', '3', '4']) {
    writeFileSync(path.join(folder, name), name)
    git('add', '-A')
    git('commit', '-q', '-m', name)
  }
  git('tag', '-m', 'message', 'annotated', 'main~2')
  git('branch', 'side', 'main~2')
  for (const [name, spec] of Object.entries(NAMES)) ids.set(name, git('rev-parse', spec))
})

const hidden: string[] = []

function hide(name: string): void {
  const id = ids.get(name) ?? ''
  const file = path.join(folder, '.git/objects', id.slice(0, 2), id.slice(2))
  renameSync(file, `${file}.hidden`)
  hidden.push(file)
}

afterEach(() => {
  for (const file of hidden.splice(0)) renameSync(`${file}.hidden`, file)
})

/** Runs `rev-list`; in arguments and answers, names stand for ids. */
function list(args: string, config: readonly string[] = []): string[] {
  const given = args.split(' ').map((arg) => ids.get(arg) ?? arg)
  const { exit, stdout, stderr } = run(folder, [...config, 'rev-list', ...given])
  let text = `${stdout}`
  for (const [name, id] of ids) text = text.replaceAll(id, name)
  return exit === 0 ? text.split('\n').slice(0, -1) : [stderr]
}

describe('a commit that is missing', () => {
  test.each([
    ['--missing=print main', ['fourth', 'third', '?second']],
    ['main --missing=print-info', ['fourth', 'third', '?second type=commit']],
    ['--missing=allow-any main', ['fourth', 'third']],
    ['--missing=print --reverse main', ['third', 'fourth', '?second']],
    ['--missing=print --count main', ['?second', '2']],
    ['--missing=print --quiet main', ['?second']],
    ['--missing=print --parents main', ['fourth third', 'third second', '?second']],
    ['--missing=print --boundary main', ['fourth', 'third', '?second']],
    ['--missing=print -1 main', ['fourth']],
    ['--missing=print --no-walk main~1', ['third']],
    ['--missing=print main~1..main', ['fourth']],
    ['--missing=error --missing=print --missing=other main', ['fourth', 'third', '?second']],
    [
      '--missing=print --objects main',
      ['fourth', 'third', 'root4 ', 'f1 1', 'f2 2', 'f3 3', 'f4 4', 'd d', 'space d/a b'].concat([
        'umlaut d/bär',
        'root3 ',
        '?second',
      ]),
    ],
    [
      '--missing=print --objects --filter=blob:none main',
      ['fourth', 'third', 'root4 ', 'd d', 'root3 ', '?second'],
    ],
  ])('%s', (args, expected) => {
    hide('second')
    expect(list(args)).toEqual(expected)
  })

  test.each([
    ['second', ['?second']],
    ['side', ['?second']],
    ['main~2', ['?second']],
    ['second main', ['fourth', 'third', '?second']],
    ['main ^side', ['fourth', 'third', '?second']],
    ['--all', ['fourth', 'third', '?second']],
    ['--objects annotated', ['tag annotated', '?second']],
    ['--objects --no-object-names annotated', ['tag', '?second']],
  ])('named by %s', (args, expected) => {
    hide('second')
    expect(list(`--missing=print-info ${args}`)).toEqual(expected)
    const mayMiss = expected.filter((line) => !line.startsWith('?'))
    expect(list(`--missing=allow-any ${args}`)).toEqual(mayMiss)
  })

  test('fails without the option, and if it was not promised', () => {
    hide('second')
    const missing = [`fatal: there is no such object: ${ids.get('second')}\n`]
    expect(list('--missing=print --missing=error main')).toEqual(missing)
    expect(list('--missing=allow-promisor main')).toEqual(missing)
    expect(list('second')).toEqual([`fatal: bad object ${ids.get('second')}\n`])
  })

  test('is not listed by the API', async () => {
    hide('second')
    const repo = await open(path.join(folder, '.git'))
    const rows = []
    for await (const row of repo.revListObjects(['main'], { missing: 'allow-any' })) rows.push(row)
    expect(rows.map(({ oid }) => oid)).not.toContain(ids.get('second'))
    expect(rows.filter((row) => row.path === null).length).toBe(2)
    const all = async () => {
      for await (const _ of repo.revListObjects(['main']));
    }
    await expect(all()).rejects.toThrow(/no such object/)
    await repo.close()
  })

  test('is missing although a commit-graph has it', () => {
    git('commit-graph', 'write', '--reachable')
    hide('second')
    expect(list('--missing=print main')).toEqual(['fourth', 'third', '?second'])
    rmSync(path.join(folder, '.git/objects/info/commit-graph'))
  })
})

describe('a tree or blob that is missing', () => {
  test.each([
    [['d'], 'main', ['?d path=d type=tree']],
    [['d'], 'd', ['?d']],
    [['d'], 'main:d main', ['?d']],
    [
      ['space', 'umlaut'],
      'main',
      ['?space path="d/a b" type=blob', String.raw`?umlaut path="d/b\303\244r" type=blob`],
    ],
    [['space'], 'main:d', ['?space path="d/a b" type=blob']],
    [['root2'], 'main', ['?root2 type=tree']],
  ])('%j of %s', (missing, args, expected) => {
    missing.forEach(hide)
    for (const others of ['', ' --no-object-names', ' --quiet']) {
      const lines = list(`--missing=print-info --objects${others} ${args}`)
      expect(lines.filter((line) => line.startsWith('?'))).toEqual(expected)
    }
    const plain = list(`--missing=print --objects ${args}`).filter((line) => line.startsWith('?'))
    expect(plain).toEqual(expected.map((line) => line.replace(/ .*/, '')))
  })

  test('has a path as core.quotePath says', () => {
    hide('umlaut')
    hide('space')
    const lines = list('--missing=print-info --objects main', ['-c', 'core.quotePath=false'])
    expect(lines.slice(-2)).toEqual([
      '?space path="d/a b" type=blob',
      '?umlaut path=d/bär type=blob',
    ])
  })
})
