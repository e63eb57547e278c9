/** Writes the files of a command. */
import * as fs from 'node:fs'
import { fatal } from '../base/exit.js'

/** Files that get their names only once they are complete. */
export class Written {
  readonly #open = new Map<string, { readonly file: number; readonly temporary: string }>()

  write(name: string, bytes: Uint8Array): void {
    let place = this.#open.get(name)
    if (!place) {
      const temporary = `${name}.${process.pid}.tmp`
      place = { file: fs.openSync(temporary, 'wx', 0o444), temporary }
      this.#open.set(name, place)
    }
    for (let done = 0; done < bytes.byteLength; ) {
      done += fs.writeSync(place.file, bytes, done)
    }
  }

  publish(): void {
    for (const [name, { file, temporary }] of this.#open) {
      fs.closeSync(file)
      fs.renameSync(temporary, name)
      this.#open.delete(name)
    }
  }

  discard(): void {
    for (const { file, temporary } of this.#open.values()) {
      fs.closeSync(file)
      fs.rmSync(temporary, { force: true })
    }
    this.#open.clear()
  }
}

/** Writes a file with a message about a pack; returns false if the file already exists. */
export function writeBeside(name: string, message: string): boolean {
  try {
    fs.writeFileSync(name, message === '' ? '' : `${message}\n`, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Returns a name with the ending replaced. @throws Exit if the name does not end with `from` */
export function renamed(name: string, from: string, to: string): string {
  if (name.endsWith(from)) return name.slice(0, -from.length) + to
  throw fatal(`packfile name '${name}' does not end with '${from}'`)
}
