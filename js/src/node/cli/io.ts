/** What a command reads and writes. Bytes go straight to the descriptors. */
import * as fs from 'node:fs'
import { devNull } from 'node:os'

/** The world around a command. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Waits for input and reads some; 0 is its end. */
  read(target: Uint8Array): number
  /**
   * Writes all of `bytes`, which may be a view of the instance's memory, in one
   * call if the other end takes them.
   *
   * @throws ClosedPipe if nobody reads any longer
   */
  write(bytes: Uint8Array): void
  writeError(text: string): void
  /** Whether a terminal shows what is written. */
  readonly toTerminal?: boolean
  /** Whether the process ends behind the command, and with it what is open. */
  readonly endsProcess?: boolean
}

/** Nobody reads the output any longer: not an error, but nothing is left to do. */
export class ClosedPipe extends Error {}

const INPUT = 0
const OUTPUT = 1
const ERRORS = 2

const LONGEST_NAP = 50

/** Returns the world of this process. */
export function processIo(): Io {
  return {
    env: process.env,
    cwd: process.cwd(),
    endsProcess: true,
    toTerminal: isTerminal(OUTPUT),
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

/** `node:tty` knows as well, but takes 3 ms to load. */
function isTerminal(descriptor: number): boolean {
  try {
    const stat = fs.fstatSync(descriptor)
    return stat.isCharacterDevice() && stat.rdev !== fs.statSync(devNull).rdev
  } catch {
    // A descriptor that is closed shows nothing.
    return false
  }
}

function readInput(target: Uint8Array): number {
  try {
    return patiently(() => fs.readSync(INPUT, target))
  } catch (error) {
    // Windows tells the end of a pipe, and a closed descriptor, this way.
    if (['EOF', 'EBADF'].includes(codeOf(error))) return 0
    throw error
  }
}

function writeFully(descriptor: number, bytes: Uint8Array): void {
  try {
    for (let done = 0; done < bytes.byteLength; ) {
      done += patiently(() => fs.writeSync(descriptor, bytes, done))
    }
  } catch (error) {
    throw codeOf(error) === 'EPIPE' ? new ClosedPipe() : error
  }
}

/**
 * Tries again when a descriptor that does not block is not ready. Whoever
 * shares it may have made it so. The thread sleeps meanwhile.
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
