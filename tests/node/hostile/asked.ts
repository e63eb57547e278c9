/**
 * Makes every call on hostile repositories: each returns the right answer or a typed error, and
 * the next call works. Each family has its own test file, because a worker of vitest runs one file.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../support.ts'
import { families, KNOWN_ID, unreadable } from './repositories.ts'

const MEMORY = 64 << 20
/** The time after which a call counts as hanging. */
const HUNG = 110_000

const temporary = mkdtempSync(path.join(tmpdir(), 'packlens-hostile-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

interface Asked {
  readonly outcomes: Readonly<Record<string, string>>
  readonly most: number
  readonly slowest: { readonly slow: string; readonly ms: number }
}

function run(
  args: readonly string[],
  cwd = root,
): Promise<{ stdout: string; stderr: string; code: number | null }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const end = setTimeout(() => child.kill('SIGKILL'), HUNG)
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (text) => {
      if (stdout.length < 1 << 20) stdout += text
    })
    child.stderr.on('data', (text) => {
      if (stderr.length < 1 << 20) stderr += text
    })
    child.on('close', (code) => {
      clearTimeout(end)
      resolve({ stdout, stderr, code })
    })
  })
}

const entry = path.join(root, 'dist', 'node', 'packlens.js')
const script = path.join(root, 'tests', 'node', 'hostile', 'ask-all.mjs')
const commandScript = path.join(root, 'tests', 'node', 'hostile', 'run-commands.mjs')
const cli = path.join(root, 'dist', 'node', 'cli', 'packlens.cjs')

async function ask(folder: string, mode: string): Promise<Asked> {
  const { stdout, stderr, code } = await run([script, entry, folder, mode, `${MEMORY}`, KNOWN_ID])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  return JSON.parse(stdout) as Asked
}

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

interface Ended {
  readonly stderr: string
  readonly code: number | null
}

function expectRefused(command: readonly string[] = [], { stderr, code }: Ended): void {
  const what = command.join(' ')
  expect(code, `${what}: ${stderr}`).not.toBeNull()
  expect(stderr, what).not.toMatch(/^\s+at |INTERNAL|Error:/m)
  expect(stderr, what).not.toMatch(/(?![\n\t])\p{Cc}/u)
}

/** Defines the tests of a family of repositories. */
export function areRead(family: keyof typeof families): void {
  let nth = 0
  describe.each(Object.entries(families[family]))('A repository with %s', (name, make) => {
    const folder = path.join(temporary, name.replaceAll(' ', '-'))
    beforeAll(() => {
      mkdirSync(folder)
      make(folder)
    }, 120_000)

    test.each(['thread', 'worker'])(
      'is read right, or fails by type: %s',
      async (mode) => {
        const { outcomes, most } = await ask(folder, mode)
        for (const [call, outcome] of Object.entries(outcomes)) {
          expect(outcome, call).toMatch(/^[A-Za-z_]+$/)
          expect(outcome, call).not.toBe('INTERNAL')
          if (!call.endsWith('then a known object')) continue
          expect(outcome, call).toBe(unreadable.has(name) ? 'CORRUPT' : 'ok')
        }
        expect(most).toBeLessThanOrEqual(MEMORY + (64 << 20))
      },
      120_000,
    )

    test('is read by the command line, or refused without a stack trace', async () => {
      const { stdout, stderr } = await run([commandScript, folder, JSON.stringify(commands)])
      const ended = stdout.split('\n').filter(Boolean)
      for (const [at, line] of ended.entries()) expectRefused(commands[at], JSON.parse(line))
      expect(stderr, `after ${ended.length} commands`).toBe('')
      expect(ended.length).toBe(commands.length)
    }, 120_000)

    test('is read by the published command line as well', async () => {
      const command = commands[nth++ % commands.length]
      expectRefused(command, await run([cli, '--git-dir', folder, ...(command ?? [])]))
    }, 120_000)
  })
}
