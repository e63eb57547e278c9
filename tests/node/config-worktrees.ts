/** Worktrees whose configurations tests write, and git's answers: tests/fixtures/config.mjs. */
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll } from 'vitest'
import { makeWorktrees, writeConfigs } from '../fixtures/random-configs.mjs'
import { root } from './support.ts'

export interface Recorded {
  readonly place: 'Main' | 'linked'
  readonly files: Readonly<Record<string, string>>
  readonly asked: readonly {
    readonly args: readonly string[]
    readonly exit: number
    readonly stdout: string
    readonly stderr: string
  }[]
}

export const recorded = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'config.json'), 'utf8'),
) as Recorded[]

export const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'packlens-config-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
export const gitDirs = makeWorktrees(folder)
export const home = path.join(folder, 'Main')

/** The files that a case may leave from the one before it. */
const empty = Object.fromEntries(
  ['one', 'sub/two', 'sub/three', '../four', 'FIVE', 'config.worktree']
    .map((name) => [path.join('Main/.git', name), ''] as const)
    .concat([['Main/.git/worktrees/linked/one', '']])
    .concat([['Main/.git/worktrees/linked/config.worktree', '']]),
)
/** Writes the files of a case. */
export const write = (files: Readonly<Record<string, string>>) => {
  writeConfigs(folder, { ...empty, ...files })
}

export const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
export const withFolder = (text: string) => text.replaceAll('<folder>', folder)
