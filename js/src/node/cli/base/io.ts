/** The input and output of a command. Bytes go straight to the file descriptors. */
import * as fs from 'node:fs'
import { devNull } from 'node:os'

/** The environment of a command. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Waits for input and reads some bytes; returns 0 at the end. */
  read(target: Uint8Array): number
  /**
   * Writes all of `bytes`, which may be a view of the instance's memory, in one system call
   * if the reader accepts them.
   *
   * @throws ClosedPipe if the reader has closed the pipe
   */
  write(bytes: Uint8Array): void
  writeError(text: string): void
  /** Whether the input comes from a terminal. */
  readonly fromTerminal?: boolean
  /** Whether the output goes to a terminal. */
  readonly toTerminal?: boolean
  /** Whether error messages do. */
  readonly errorsToTerminal?: boolean
  /** Whether the process ends after the command, which frees everything that is open. */
  readonly endsProcess?: boolean
}

/** The reader has closed the output's pipe: no failure, but there is nothing left to do. */
export class ClosedPipe extends Error {}

const INPUT = 0
const OUTPUT = 1
const ERRORS = 2

const LONGEST_NAP = 50

/** Returns the environment of this process. */
export function processIo(): Io {
  return {
    env: process.env,
    cwd: process.cwd(),
    endsProcess: true,
    fromTerminal: isTerminal(INPUT),
    toTerminal: isTerminal(OUTPUT),
    errorsToTerminal: isTerminal(ERRORS),
    read: readInput,
    write: (bytes) => writeFully(OUTPUT, bytes),
    writeError(text) {
      try {
        writeFully(ERRORS, Buffer.from(text))
      } catch (error) {
        if (!(error instanceof ClosedPipe)) throw error
      }
    },
  }
}

/** Returns whether a descriptor is a terminal; `node:tty` would take 3 ms to load. */
function isTerminal(descriptor: number): boolean {
  try {
    const stat = fs.fstatSync(descriptor)
    return stat.isCharacterDevice() && stat.rdev !== fs.statSync(devNull).rdev
  } catch {
    // A closed descriptor is no terminal.
    return false
  }
}

function readInput(target: Uint8Array): number {
  try {
    return patiently(() => fs.readSync(INPUT, target))
  } catch (error) {
    // Windows reports the end of a pipe, and a closed descriptor, as errors.
    if (['EOF', 'EBADF'].includes(codeOf(error))) return 0
    throw error
  }
}

/** Writes all bytes to a descriptor. @throws ClosedPipe if its reader has closed it */
export function writeFully(descriptor: number, bytes: Uint8Array): void {
  try {
    for (let done = 0; done < bytes.byteLength; ) {
      done += patiently(() => fs.writeSync(descriptor, bytes, done))
    }
  } catch (error) {
    throw codeOf(error) === 'EPIPE' ? new ClosedPipe() : error
  }
}

/**
 * Retries while a descriptor that does not block is not ready: another process that shares
 * it may have made it non-blocking. The thread sleeps between attempts.
 */
function patiently(attempt: () => number): number {
  for (let nap = 1; ; nap = Math.min(nap * 2, LONGEST_NAP)) {
    try {
      return attempt()
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, nap)
    }
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
