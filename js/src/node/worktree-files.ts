/** Lists the files of a work tree with what the file system says of them; nothing is written. */
import type { Dirent, Stats } from 'node:fs'
import * as path from 'node:path'
import { isExecutable, kindOf, listedFile, safe, secondsOf } from '../source/listed-file.js'
import { fs } from './builtin.js'

const GIT = Buffer.from('.git')

const SECOND = 1_000_000_000n

/** Returns what the file system says of a file, before its name. */
function described(stat: Stats, name: Buffer): Uint8Array {
  const { size, ino, uid, gid } = stat
  const executable = isExecutable(stat.mode)
  // A second that was rounded up only has the file read.
  const [mtime, ctime] = [secondsOf(stat.mtimeMs), secondsOf(stat.ctimeMs)]
  const file = { kind: kindOf(stat), isExecutable: executable, size, mtime, ctime, uid, gid }
  return listedFile({ ...file, ino: safe(ino) }, name)
}

/** Describes the index: its size and the second in which it was written. */
export function describeIndex(file: Buffer): Uint8Array {
  const stat = fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
  const { size, mtimeNs } = stat ?? {}
  const mtime = mtimeNs === undefined ? undefined : mtimeNs / SECOND
  return listedFile({ kind: kindOf(stat), size, mtime }, 'index')
}

/** Describes what is in a folder; `isRepository` says whether its `.git` counts. */
export function describeFolder(
  folder: Buffer,
  entries: readonly (Dirent<Buffer> | Buffer)[],
  isRepository: () => boolean,
): Uint8Array[] {
  const found: Uint8Array[] = []
  const prefix = Buffer.concat([folder, Buffer.from(path.sep)])
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
    const stat = fs.lstatSync(Buffer.concat([prefix, name]), { throwIfNoEntry: false })
    // A file may have been deleted meanwhile.
    if (stat) found.push(described(stat, name))
  }
  return found
}
