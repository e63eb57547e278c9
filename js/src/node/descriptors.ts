/**
 * Keeps files open within the system's limit: a process may have few files open at a time,
 * and a repository may have thousands of packs. The least recently used file is closed, and
 * reopened when it is needed.
 */
import type { Stats } from 'node:fs'
import { isAbsence, isTooManyOpen } from '../source/failed.js'
import { fs } from './builtin.js'

/** The most held files: processes are usually limited to 256 or 1024, for all their code. */
const MOST_OPEN = 128

/** The open descriptors; the least recently used one is first. */
const held = new Map<HeldDescriptor, number>()

/** A file that is held open, or that was closed and is reopened if it has not changed. */
export class HeldDescriptor {
  readonly #path: Buffer
  readonly stat: Stats
  #isClosed = false

  /** @throws the error of `node:fs` if the file cannot be opened */
  constructor(path: Buffer) {
    this.#path = path
    const descriptor = withinLimit(() => fs.openSync(path, 'r'))
    try {
      this.stat = fs.fstatSync(descriptor)
    } catch (error) {
      fs.closeSync(descriptor)
      throw error
    }
    keep(this, descriptor)
  }

  /**
   * Calls `use` with the descriptor. Returns `null` if the file had to be closed and another
   * file, or none, has its name by now.
   */
  use<T>(use: (descriptor: number) => T): T | null {
    const descriptor = held.get(this) ?? this.#reopened()
    if (descriptor === null) return null
    // Moves the file to the end of the map, as the most recently used one.
    held.delete(this)
    held.set(this, descriptor)
    return use(descriptor)
  }

  close(): void {
    this.#isClosed = true
    closeNow(this)
  }

  #reopened(): number | null {
    if (this.#isClosed) return null
    try {
      const descriptor = withinLimit(() => fs.openSync(this.#path, 'r'))
      if (isSame(fs.fstatSync(descriptor), this.stat)) return keep(this, descriptor)
      fs.closeSync(descriptor)
      return null
    } catch (error) {
      if (isAbsence(error)) return null
      throw error
    }
  }
}

/** Opens a file or a folder; at the limit of open files, closes held ones and retries. */
export function withinLimit<T>(open: () => T): T {
  for (;;) {
    try {
      return open()
    } catch (error) {
      const [oldest] = held.keys()
      if (!isTooManyOpen(error) || !oldest) throw error
      closeNow(oldest)
    }
  }
}

function keep(file: HeldDescriptor, descriptor: number): number {
  const [oldest] = held.keys()
  if (held.size >= MOST_OPEN && oldest) closeNow(oldest)
  held.set(file, descriptor)
  return descriptor
}

function closeNow(file: HeldDescriptor): void {
  const descriptor = held.get(file)
  if (descriptor === undefined) return
  held.delete(file)
  fs.closeSync(descriptor)
}

function isSame(one: Stats, other: Stats): boolean {
  return (
    one.ino === other.ino &&
    one.dev === other.dev &&
    one.size === other.size &&
    one.mtimeMs === other.mtimeMs
  )
}
