/** Files that can only be read whole. */
import { PacklensError } from '../base/errors.js'
import type { FileFacts, LentFile } from './store.js'

type Content = Promise<Uint8Array | null>

/**
 * Reads files whole and returns ranges of them. The content is cached for the next range, also
 * after a read of all, since git may delete the file: the latest files, up to the given number of
 * bytes.
 */
export class WholeFiles {
  readonly #most: number
  readonly #kept = new Map<LentFile, Content>()

  constructor(most: number) {
    this.#most = most
  }

  /** Returns a file; `readAll` returns its content, `null` if the file is missing. */
  file(facts: FileFacts, readAll: () => Content): LentFile {
    const { size } = facts
    const file: LentFile = {
      ...facts,
      read: async (offset, length) => {
        const isKept = length < size || size <= this.#most
        const content = await (isKept ? this.#keep(file, readAll) : readAll())
        // A file of another size has changed: no bytes of it may be returned.
        if (content?.byteLength !== size) return new Uint8Array()
        return content.subarray(offset, offset + length)
      },
      close: () => {
        this.#kept.delete(file)
      },
    }
    return file
  }

  #keep(file: LentFile, readAll: () => Content): Content {
    if (file.size > this.#most) {
      const what =
        'the `fs` client reads this file only whole, which exceeds `memory`: raise it, or give a client with `open`'
      throw new PacklensError('LIMIT', `${what} (${file.size} bytes)`)
    }
    const content = this.#kept.get(file) ?? readAll()
    this.#kept.delete(file)
    this.#kept.set(file, content)
    content.catch(() => this.#kept.delete(file))
    this.#forgetOldest()
    return content
  }

  #forgetOldest(): void {
    let size = 0
    for (const [file] of [...this.#kept].reverse()) {
      size += file.size
      if (size > this.#most) this.#kept.delete(file)
    }
  }
}
