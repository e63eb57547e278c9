/** Lists the files of a work tree with what the file system says of them; nothing is written. */
import type { BigIntStats, Dirent } from 'node:fs'
import * as path from 'node:path'
import { isExecutable, kindOf, listedFile } from '../source/listed-file.js'
import { fs } from './builtin.js'

const GIT = Buffer.from('.git')

/** Returns what the file system says of a file, before its name. */
function described(stat: BigIntStats | undefined, name: Buffer): Uint8Array {
  if (!stat) return listedFile({ kind: 'o' }, name)
  const { size, mtimeNs: mtime, ctimeNs: ctime, ino, uid, gid } = stat
  const executable = isExecutable(stat.mode)
  const file = { kind: kindOf(stat), isExecutable: executable, size, mtime, ctime, ino, uid, gid }
  return listedFile(file, name)
}

/** Returns what the file system says of a file; `undefined` if there is none. */
function statOfFile(file: Buffer): BigIntStats | undefined {
  return fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
}

/** Describes the file at a place. */
export function describeFile(file: Buffer): Uint8Array {
  return described(statOfFile(file), Buffer.from(path.basename(file.toString())))
}

/** Describes what is in a folder; `isRepository` says whether its `.git` counts. */
export function describeFolder(
  folder: Buffer,
  entries: readonly (Dirent<Buffer> | Buffer)[],
  isRepository: () => boolean,
): Uint8Array[] {
  const found: Uint8Array[] = []
  for (const entry of entries) {
    const name = entry instanceof Uint8Array ? entry : entry.name
    if (name.equals(GIT)) {
      if (isRepository()) found.push(listedFile({ kind: 'r' }, name))
      continue
    }
    // Nothing else is asked about a folder.
    if (!(entry instanceof Uint8Array) && entry.isDirectory()) {
      found.push(listedFile({ kind: 'd' }, name))
      continue
    }
    const stat = statOfFile(Buffer.concat([folder, Buffer.from(path.sep), name]))
    // A file may have been deleted meanwhile.
    if (stat) found.push(described(stat, name))
  }
  return found
}
