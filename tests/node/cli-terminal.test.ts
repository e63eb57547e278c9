/** Control characters in names and contents are replaced on terminals. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run, runProcess } from './cli-support.js'
import { looseCommit, looseTree, makeRepository } from './loose-objects.ts'

const NAME = 'e\x1b[31mx\x7f\x01\u009b0m'
const SAFE = 'e?[31mx???0m'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-terminal-'))
let commit = ''

beforeAll(() => {
  makeRepository(folder)
  const tree = looseTree(folder, [])
  commit = looseCommit(folder, { tree, message: 'one\x1b[2Jtwo\n' })
  writeFileSync(path.join(folder, 'refs/heads/main'), `${commit}\n`)
  const refs = ['a\x1b[31mb', 'c\x7fd', 'e\u009bf'].map((name) => `${commit} refs/heads/${name}\n`)
  writeFileSync(path.join(folder, 'packed-refs'), `# pack-refs with: sorted \n${refs.join('')}`)
  writeFileSync(path.join(folder, 'names.bundle'), `# v2 git bundle\n${refs.join('')}\nPACK`)
  writeFileSync(path.join(folder, 'bad.bundle'), `# v2 git bundle\nbad\x1b[31m\n\nPACK`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

describe('messages', () => {
  test.each([
    ['cat-file', '-p', NAME],
    ['cat-file', '-t', `HEAD:${NAME}`],
    ['cat-file', `--${NAME}`],
    ['ls-tree', NAME],
    ['merge-base', NAME, 'HEAD'],
    ['rev-list', NAME],
    ['rev-parse', NAME, '--', NAME],
    ['symbolic-ref', NAME],
    ['show-ref', '--verify', NAME],
    ['reflog', NAME],
    ['fsck', NAME],
    ['verify-pack', NAME],
    ['index-pack', NAME],
    ['bundle', 'list-heads', NAME],
    ['bundle', 'list-heads', 'bad.bundle'],
    ['bundle', NAME],
    ['for-each-ref', `--format=%(${NAME})`],
    [`--${NAME}`],
    [NAME],
    ['-C', NAME],
  ])('%j %j', (...args) => {
    const { stderr, exit } = run(folder, args)
    expect(exit).not.toBe(0)
    expect(stderr).not.toBe('')
    expect(stderr).not.toMatch(CONTROLS)
  })

  test('are replaced as git does', () => {
    expect(run(folder, ['cat-file', '-p', NAME]).stderr).toBe(
      `fatal: Not a valid object name ${SAFE}\n`,
    )
    expect(run(folder, ['bundle', 'list-heads', 'bad.bundle']).stderr).toBe(
      'error: unrecognized header: bad?[31m (8)\n',
    )
    // git reports the same two names, and lists the third, because it allows its bytes.
    expect(run(folder, ['for-each-ref', '--format=%(refname)']).stderr).toBe(
      'warning: ignoring ref with broken name refs/heads/a?[31mb\n' +
        'warning: ignoring ref with broken name refs/heads/c?d\n',
    )
    expect(run(folder, ['show-ref']).stderr).toMatch(/bad ref refs\/heads\/a\?\[31mb /)
  })

  test('tabs and line feeds stay', () => {
    const { stderr } = run(folder, ['cat-file', '-p', 'a\tb'])
    expect(stderr).toBe('fatal: Not a valid object name a\tb\n')
  })

  test('of a process', () => {
    const { stderr } = runProcess(folder, ['cat-file', '-p', NAME])
    expect(stderr).toBe(`fatal: Not a valid object name ${SAFE}\n`)
  })
})

describe('output', () => {
  const both = (...args: string[]) =>
    [false, true].map((toTerminal) => run(folder, args, { toTerminal }).stdout.toString())

  test('names of a bundle', () => {
    const [plain, shown] = both('bundle', 'list-heads', 'names.bundle')
    const line = (name: string) => `${commit} refs/heads/${name}\n`
    expect(plain).toBe(`${line('a\x1b[31mb')}${line('c\x7fd')}${line('e\u009bf')}`)
    expect(shown).toBe(`${line('a?[31mb')}${line('c?d')}${line('e?f')}`)
  })

  test('values are replaced, but not the format of the user', () => {
    const format = '--format=%1b[1m%(contents:subject)%(align:1)%(subject)%(end)|'
    const [plain, shown] = both('for-each-ref', format, 'refs/heads/main')
    expect(plain).toBe('\x1b[1mone\x1b[2Jtwoone\x1b[2Jtwo|\n')
    expect(shown).toBe('\x1b[1mone?[2Jtwoone?[2Jtwo|\n')
  })

  test('content is unchanged', () => {
    const [plain, shown] = both('cat-file', '-p', 'HEAD')
    expect(shown).toBe(plain)
    expect(shown).toContain('\x1b[2J')
  })
})
