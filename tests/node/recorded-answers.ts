/** Answers of git to `log` and the commands like it about a made history, and packlens's. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { NOW, ZONE } from '../fixtures/log-history.mjs'
import { type Answer, run } from './cli-support.ts'
import { root } from './support.ts'

export interface Recorded {
  readonly args: readonly string[]
  readonly exit: number
  readonly size: number
  readonly sha256: string
  readonly error?: string
  /** Whether it was asked on a terminal with colors. */
  readonly toTerminal?: boolean
  /** What the configuration of the repository had in addition. */
  readonly config?: string
}

/** Returns what a script of tests/fixtures recorded. */
export function recordedIn(name: string): Recorded[] {
  return JSON.parse(readFileSync(path.join(root, 'tests', 'fixtures', name), 'utf8'))
}

/**
 * Makes a repository from a stream of `git fast-import` for the tests of a file, which ask in the
 * time zone of the recordings; returns its folder.
 */
export function madeHistory(name: string, stream: () => Uint8Array): string {
  const folder = mkdtempSync(path.join(tmpdir(), `packlens-${name}-`))
  const zone = process.env.TZ
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
  beforeAll(() => {
    process.env.TZ = ZONE
    git(folder, ['init', '-q', '--bare', '--initial-branch=main', folder])
    git(folder, ['fast-import', '--quiet', '--done', '--force'], stream())
  })
  return folder
}

/** Runs a command at the time of the recordings. */
function askNow(folder: string, { args, toTerminal = false }: Recorded): Answer {
  const env = { GIT_TEST_DATE_NOW: NOW, ...(toTerminal && { TERM: 'xterm' }) }
  return run(folder, ['--git-dir', folder, ...args], { env, toTerminal })
}

/** Asks what git was asked, and expects the same bytes, exit code and message. */
export function expectRecorded(folder: string, one: Recorded): void {
  const { exit, stdout, stderr } = askNow(folder, one)
  const [error] = stderr.split('\n')
  // A usage is not compared, whatever it says.
  if (one.error?.startsWith('usage:')) expect(error).toMatch(/^usage: packlens/)
  else expect(error).toBe(one.error ?? '')
  expect({ exit, size: stdout.length }).toEqual({ exit: one.exit, size: one.size })
  expect(createHash('sha256').update(stdout).digest('hex')).toBe(one.sha256)
}
