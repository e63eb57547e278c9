/**
 * Lists the files of a work tree with what the file system says of them; nothing is written.
 *
 * A status looks at every file: names and texts are strings with a character for each byte, because
 * a typed array for each of them takes longer than `lstat`.
 */
import type { Dirent, Stats } from 'node:fs'
import * as path from 'node:path'
import {
  factsOf,
  isExecutable,
  kindOf,
  listedFile,
  safe,
  secondsOf,
} from '../source/listed-file.js'
import { fs } from './builtin.js'

const SECOND = 1_000_000_000n

const OPTIONS = { throwIfNoEntry: false } as const

/** Returns what the file system says of a file, to be followed by its name. */
function described(stat: Stats): string {
  const { size, ino, uid, gid } = stat
  const executable = isExecutable(stat.mode)
  // A second that was rounded up only has the file read.
  const [mtime, ctime] = [secondsOf(stat.mtimeMs), secondsOf(stat.ctimeMs)]
  const file = { kind: kindOf(stat), isExecutable: executable, size, mtime, ctime, uid, gid }
  return factsOf({ ...file, ino: safe(ino) })
}

/** Describes the index: its size and the second in which it was written. */
export function describeIndex(file: Buffer): Uint8Array {
  const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
  const { size, mtimeNs } = stat ?? {}
  const mtime = mtimeNs === undefined ? undefined : mtimeNs / SECOND
  return listedFile({ kind: kindOf(stat), size, mtime }, 'index')
}

/**
 * Describes what is in a folder: the texts of all names together, with NULs between them, as the core
 * separates names. `isRepository` says whether its `.git` counts.
 */
export function describeFolder(
  folder: Buffer,
  entries: readonly (Dirent<string> | Buffer)[],
  isRepository: () => boolean,
): Uint8Array[] {
  const found: string[] = []
  const prefix = `${folder.toString('latin1')}${path.sep}`
  for (const entry of entries) {
    const name = entry instanceof Uint8Array ? entry.toString('latin1') : entry.name
    const add = (facts: string) => found.push(facts + name)
    if (name === '.git') {
      if (isRepository()) add(factsOf({ kind: 'r' }))
      continue
    }
    // Nothing else is asked about a folder.
    if (!(entry instanceof Uint8Array) && entry.isDirectory()) {
      add(factsOf({ kind: 'd' }))
      continue
    }
    const stat = fs.lstatSync(pathOf(prefix + name), OPTIONS)
    // A file may have been deleted meanwhile.
    if (stat) add(described(stat))
  }
  return found.length === 0 ? [] : [Buffer.from(found.join('\0'), 'latin1')]
}

/** Returns a path, given its bytes: as text only if that is sure to stand for the same bytes. */
function pathOf(bytes: string): string | Buffer {
  return /^[\0-\x7f]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1')
}
