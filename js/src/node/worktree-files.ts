/**
 * Lists the files of a work tree with what the file system says of them, and reads them: in the
 * form that the core's `status` expects. Nothing is ever written.
 */
import type { BigIntStats, Dirent } from 'node:fs'
import * as path from 'node:path'
import { fs } from './builtin.js'

const GIT = Buffer.from('.git')

/** The owner's bit of a mode; git ignores the other execute bits. */
const EXECUTABLE = 0o100n

/** Returns what the file system says of a file, before its name, as `worktree/listed.rs` expects. */
function described(stat: BigIntStats | undefined, name: Buffer): Buffer {
  if (!stat) return Buffer.concat([Buffer.from('o - 0 - - - - - '), name])
  const kind = kindOf(stat)
  const isExecutable = stat.mode & EXECUTABLE ? 1 : 0
  const { size, mtimeNs, ctimeNs, ino, uid, gid } = stat
  const facts = `${kind} ${isExecutable} ${size} ${mtimeNs} ${ctimeNs} ${ino} ${uid} ${gid} `
  return Buffer.concat([Buffer.from(facts), name])
}

function kindOf(stat: BigIntStats): 'f' | 'l' | 'd' | 'o' {
  if (stat.isFile()) return 'f'
  if (stat.isSymbolicLink()) return 'l'
  return stat.isDirectory() ? 'd' : 'o'
}

/** Returns what the file system says of a file; `undefined` if there is none. */
function statOfFile(file: Buffer): BigIntStats | undefined {
  return fs.lstatSync(file, { bigint: true, throwIfNoEntry: false })
}

/** Describes the file at a place. */
export function describeFile(file: Buffer): Buffer {
  return described(statOfFile(file), Buffer.from(path.basename(file.toString())))
}

/** Describes what is in a folder; `isRepository` says whether its `.git` counts. */
export function describeFolder(
  folder: Buffer,
  entries: readonly (Dirent<Buffer> | Buffer)[],
  isRepository: () => boolean,
): Buffer[] {
  const found: Buffer[] = []
  for (const entry of entries) {
    const name = entry instanceof Uint8Array ? entry : entry.name
    if (name.equals(GIT)) {
      if (isRepository()) found.push(Buffer.from('r - 0 - - - - - .git'))
      continue
    }
    // Nothing else is asked about a folder.
    if (!(entry instanceof Uint8Array) && entry.isDirectory()) {
      found.push(Buffer.concat([Buffer.from('d - 0 - - - - - '), name]))
      continue
    }
    const stat = statOfFile(Buffer.concat([folder, Buffer.from(path.sep), name]))
    // A file may have been deleted meanwhile.
    if (stat) found.push(described(stat, name))
  }
  return found
}
