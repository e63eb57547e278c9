/**
 * Files that stay open, as far as the system lets them: a process may have few open at a
 * time, and a repository may have thousands of packs. The one that was used least
 * recently is closed, and opened again when it is needed.
 */
import type { Stats } from 'node:fs'
import { isAbsence, isTooManyOpen } from '../source/failed.js'
import { fs } from './builtin.js'

/** The usual limit of a process is 256 or 1024, and others in it need some as well. */
const MOST_OPEN = 128

/** What was used least recently comes first. */
const held = new Map<HeldDescriptor, number>()

/** A file that is held open, or was and can be opened again if it is still the same. */
export class HeldDescriptor {
  readonly #path: Buffer
  readonly stat: Stats
  #isClosed = false

  /** @throws what `node:fs` throws if the file cannot be opened */
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
   * Calls `use` with the descriptor. Returns `null` if the file had to be closed, and
   * another one has its name by now, or none.
   */
  use<T>(use: (descriptor: number) => T): T | null {
    const descriptor = held.get(this) ?? this.#reopened()
    if (descriptor === null) return null
    // Now it is the one that was used last.
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

/** Opens a file or a folder; where no more can be open, others are closed for it. */
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
