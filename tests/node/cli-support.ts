/** Runs the command line, and loads git's answers to the same calls: tests/fixtures/batch/record.mjs. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { COMMANDS } from '../../dist/node/cli/commands.js'
import * as help from '../../dist/node/cli/help/help.js'
import { main } from '../../dist/node/cli/main.js'
import * as pager from '../../dist/node/cli/pager.js'
import { loaded } from '../../scripts/lib/loaded-commands.mjs'
import { PROCESS_TIMEOUT } from '../support/timeouts.ts'

const commands = await loaded(COMMANDS)

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The folder of the unpacked fixtures. */
export const unpacked = path.join(root, 'target', 'fixtures')
/** The published script. */
export const cli = path.join(root, 'dist', 'node', 'cli', 'packlens.cjs')

/** A call of git and its answer. */
export interface Recorded {
  readonly cwd: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly stdout?: string
  readonly stdoutSize?: number
  readonly stdoutSha256?: string
  readonly stderr: string
  readonly exit: number
}

export const recordings: readonly Recorded[] = [
  'main',
  'sha256',
  'tiny',
  'empty',
  'mixed',
  'worktree',
  'walks',
  'refs',
  'boundaries',
  'bundles',
  'layouts',
  'thin',
  'main-newer',
  'mixed-newer',
  'tiny-newer',
  'sha256-newer',
  'refs-newer',
  'reflogs-newer',
  'index-files-newer',
].flatMap((name) => {
  const file = path.join(root, 'tests', 'fixtures', 'batch', `${name}.json`)
  return (JSON.parse(readFileSync(file, 'utf8')) as { cases: Recorded[] }).cases
})

/** The environment and input of a call. */
export function environmentOf({ env = {}, stdin = '' }: Recorded): RunOptions {
  const filled = Object.entries(env).map(([name, value]) => [
    name,
    value.replaceAll('<folder>', unpacked),
  ])
  return { stdin: Buffer.from(stdin, 'base64'), env: Object.fromEntries(filled) }
}

export interface Answer {
  readonly exit: number | null
  readonly stdout: Buffer
  readonly stderr: string
  /** The chunks that were written, in order. */
  readonly writes: readonly Buffer[]
}

export interface RunOptions {
  readonly stdin?: Uint8Array | string
  readonly env?: Readonly<Record<string, string>>
  /** The most bytes that one read of the input returns. */
  readonly chunk?: number
  /** True if input comes from a terminal. */
  readonly fromTerminal?: boolean
  /** True if output goes to a terminal. */
  readonly toTerminal?: boolean
  readonly onWrite?: (bytes: Uint8Array) => void
}

/** Runs the command line within this process. */
export function run(cwd: string, args: readonly string[], options: RunOptions = {}): Answer {
  const input = Buffer.from(options.stdin ?? '')
  const writes: Buffer[] = []
  let stderr = ''
  let at = 0
  // Returns the time of the recording, which git used too.
  const { GIT_TEST_DATE_NOW: now } = options.env ?? {}
  if (now === undefined) delete process.env.GIT_TEST_DATE_NOW
  else process.env.GIT_TEST_DATE_NOW = now
  const isConfigured = Object.keys(options.env ?? {}).some((name) => /^GIT_CONFIG_/.test(name))
  const io = {
    // A pager is a process of its own, for which this one would wait. What the system configures
    // counts only in tests that say so.
    env: {
      ...(options.toTerminal && { PAGER: 'cat' }),
      ...(!isConfigured && { GIT_CONFIG_NOSYSTEM: '1' }),
      ...options.env,
    },
    cwd: path.resolve(unpacked, cwd),
    fromTerminal: options.fromTerminal ?? false,
    toTerminal: options.toTerminal ?? false,
    read(target: Uint8Array) {
      const count = Math.min(
        target.byteLength,
        options.chunk ?? target.byteLength,
        input.length - at,
      )
      target.set(input.subarray(at, at + count))
      at += count
      return count
    },
    write(bytes: Uint8Array) {
      options.onWrite?.(bytes)
      writes.push(Buffer.from(bytes))
    },
    writeError(text: string) {
      stderr += text
    },
  }
  const exit = main(args, io, { commands, help: () => help, pager: () => pager })
  if (typeof exit !== 'number') throw new Error('several threads are for processes of their own')
  return { exit, stdout: Buffer.concat(writes), stderr, writes }
}

/** Returns the environment without git's variables. */
export const environment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')),
)

/** Runs the command line in a process of its own. */
export function runProcess(cwd: string, args: readonly string[], options: RunOptions = {}): Answer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: path.resolve(unpacked, cwd),
    env: { ...environment, ...options.env },
    input: options.stdin ?? '',
    maxBuffer: 1 << 28,
    timeout: PROCESS_TIMEOUT,
  })
  return { exit: status, stdout, stderr: stderr.toString(), writes: [] }
}

/** Parses the output of `--batch` or `--batch-check` in git's default format. */
export function splitAnswers(stdout: Buffer, contents: boolean): Buffer[] {
  const answers: Buffer[] = []
  for (let at = 0; at < stdout.length; ) {
    const lineEnd = stdout.indexOf('\n', at)
    const line = stdout.subarray(at, lineEnd).toString('latin1')
    const size = /^[0-9a-f]{40,64} (?:blob|tree|commit|tag) (\d+)$/.exec(line)?.[1]
    const end = lineEnd + 1 + (contents && size !== undefined ? Number(size) + 1 : 0)
    answers.push(stdout.subarray(at, end))
    at = end
  }
  return answers
}
