/** Shows output in a pager, if it is for a terminal: the one that git takes, git-var(1). */
import type { ChildProcess } from 'node:child_process'
import type { Io } from './base/io.js'
import { writeFully } from './base/io.js'

/** The commands whose output git shows in a pager. */
const PAGED = ['blame', 'diff', 'grep', 'log', 'reflog', 'shortlog', 'show']

const DEFAULT_PAGER = 'less'

/** Settings of pagers that the user has not set: with these, less shows colors and ends soon. */
const SETTINGS = { LESS: 'FRX', LV: '-c' }

/** What a shell has to read: git runs other pagers without one. */
const FOR_A_SHELL = /[|&;<>()$`\\"' \t\n*?[#~=%]/

/** The environment of a command whose output a pager shows. */
export interface PagedIo {
  readonly io: Io
  /** Ends the output; resolves when the user has left the pager. */
  end(): Promise<void>
}

/**
 * Returns the environment with a pager, which starts at the first output; `null` if there is
 * none. `choice` is that of the options `--paginate` and `--no-pager`.
 */
export function paged(io: Io, command: string, choice: boolean | undefined): PagedIo | null {
  if (!io.toTerminal || !(choice ?? PAGED.includes(command))) return null
  const pager = io.env.GIT_PAGER ?? io.env.PAGER ?? DEFAULT_PAGER
  if (pager === '' || pager === 'cat') return null
  let running: Running | null | undefined
  return {
    io: {
      ...io,
      write(bytes) {
        if (running === undefined) running = start(pager, io.env)
        if (running) writeFully(running.input, bytes)
        else io.write(bytes)
      },
      writeError(text) {
        // As in git: on the terminal, the pager would overwrite a message.
        if (running && io.errorsToTerminal) writeFully(running.input, Buffer.from(text))
        else io.writeError(text)
      },
    },
    end: () => running?.end() ?? Promise.resolve(),
  }
}

interface Running {
  /** The descriptor of its input. */
  readonly input: number
  end(): Promise<void>
}

/** Starts a pager; returns `null` if it cannot be started, or written to without a wait. */
function start(pager: string, env: Io['env']): Running | null {
  // Loaded only here, because it takes longer than some commands.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const child = spawn(pager, {
    env: { ...SETTINGS, ...env, GIT_PAGER_IN_USE: 'true' },
    shell: FOR_A_SHELL.test(pager),
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  // Whether it could be started, the descriptor says; how it ends is the user's.
  child.on('error', () => {})
  child.stdin.on('error', () => {})
  const input = descriptorOf(child)
  if (child.pid === undefined || input === undefined) return null
  // Interrupts are for the pager, which goes on; without readers the output ends.
  const ignore = () => {}
  process.on('SIGINT', ignore)
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()))
  return {
    input,
    end() {
      child.stdin.end()
      return closed.finally(() => process.off('SIGINT', ignore))
    },
  }
}

/**
 * Returns the descriptor of the pager's input. Commands write without waiting for the event
 * loop, for which Node has no public way; where the handle has none, output has no pager.
 */
function descriptorOf({ stdin }: ChildProcess): number | undefined {
  const { _handle: handle } = stdin as { _handle?: { fd?: number } }
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : undefined
}
