/**
 * Makes every call on hostile repositories: each returns the right answer or a typed error, and
 * the next call works. Each family has its own test file, because a worker of vitest runs one file.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../support.ts'
import { families, KNOWN_ID, unreadable } from './repositories.ts'
import { Script } from './script.ts'

const MEMORY = 64 << 20

const temporary = mkdtempSync(path.join(tmpdir(), 'packlens-hostile-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

interface Asked {
  readonly outcomes: Readonly<Record<string, string>>
  readonly most: number
}

interface Refusal {
  readonly stderr: string
  readonly code: number | null
}

const fileOf = (...names: string[]) => path.join(root, ...names)
const entry = fileOf('dist', 'node', 'packlens.js')
const script = fileOf('tests', 'node', 'hostile', 'ask-all.mjs')
const commandScript = fileOf('tests', 'node', 'hostile', 'run-commands.mjs')
const cli = fileOf('dist', 'node', 'cli', 'packlens.cjs')

const commands: readonly (readonly string[])[] = [
  ['cat-file', '-p', 'HEAD'],
  ['cat-file', '--batch-check', '--batch-all-objects'],
  ['ls-tree', '-r', 'HEAD^{tree}'],
  ['rev-parse', 'HEAD', 'main~2'],
  ['rev-list', '--count', '--all'],
  ['rev-list', '--max-count=3', '--all'],
  ['merge-base', 'HEAD', 'main'],
  ['for-each-ref', '--count=10'],
  ['show-ref', '--head'],
  ['symbolic-ref', 'HEAD'],
  ['reflog', 'HEAD'],
  ['count-objects', '-v'],
  ['fsck'],
]

function expectRefused(command: readonly string[] = [], { stderr, code }: Refusal): void {
  const what = command.join(' ')
  expect(code, `${what}: ${stderr}`).not.toBeNull()
  expect(stderr, what).not.toMatch(/^\s+at |INTERNAL|Error:/m)
  expect(stderr, what).not.toMatch(/(?![\n\t])\p{Cc}/u)
}

/** Defines the tests of a family of repositories. */
export function areRead(family: keyof typeof families): void {
  const made = Object.entries(families[family]).map(([name, make]) => {
    return { name, make, folder: path.join(temporary, name.replaceAll(' ', '-')) }
  })
  const folders = made.map(({ folder }) => folder)
  beforeAll(() => {
    for (const { folder, make } of made) {
      mkdirSync(folder)
      make(folder)
    }
  })

  describe.each(['thread', 'worker'])('In a %s', (mode) => {
    let asked: Script<Asked>
    beforeAll(() => {
      asked = new Script([script, entry, mode, `${MEMORY}`, KNOWN_ID, ...folders])
    })
    afterAll(() => asked.kill())

    test.each(made)('a repository with $name is read right, or fails by type', async (about) => {
      const [answer] = await asked.linesAbout(about.folder, 1)
      if (!answer) throw new Error('no answer')
      const { outcomes, most } = answer
      for (const [call, outcome] of Object.entries(outcomes)) {
        expect(outcome, call).toMatch(/^[A-Za-z_]+$/)
        expect(outcome, call).not.toBe('INTERNAL')
        if (!call.endsWith('then a known object')) continue
        expect(outcome, call).toBe(unreadable.has(about.name) ? 'CORRUPT' : 'ok')
      }
      expect(most).toBeLessThanOrEqual(MEMORY + (64 << 20))
    })

    test('after all of them, the process ends', async () => {
      expect(await asked.ended()).toEqual({ stderr: '', code: 0 })
    })
  })

  describe('On the command line', () => {
    let ran: Script<Refusal>
    beforeAll(() => {
      ran = new Script([commandScript, JSON.stringify(commands), ...folders])
    })
    afterAll(() => ran.kill())

    test.each(made)('$name is read, or refused without a stack trace', async ({ folder }) => {
      const lines = await ran.linesAbout(folder, commands.length)
      for (const [at, line] of lines.entries()) expectRefused(commands[at], line)
    })

    test('after all of them, the process ends', async () => {
      expect(await ran.ended()).toEqual({ stderr: '', code: 0 })
    })

    let nth = 0
    test.each(made)('$name is read as well if it is published', async ({ folder }) => {
      const command = commands[nth++ % commands.length] ?? []
      const published = new Script([cli, '--git-dir', folder, ...command])
      expectRefused(command, await published.ended())
    })
  })
}
