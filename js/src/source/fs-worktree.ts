/**
 * Lists the files of a work tree that is read through a file system client. Of a file the size,
 * the second of its last change and its mode are known, not its other fields.
 */
import type { Client, FsPath, FsStat } from './fs-client.js'
import { below } from './fs-paths.js'
import { isExecutable, kindOf, listedFile, secondsOf } from './listed-file.js'

/** Returns what the client says of a file, before its name. */
export function described(stat: FsStat | null, name: FsPath): Uint8Array {
  const { mode, size } = stat ?? {}
  const mtime = secondsOf(Number(stat?.mtimeMs ?? stat?.mtime ?? Number.NaN))
  const executable = mode === undefined ? undefined : isExecutable(mode)
  return listedFile({ kind: kindOf(stat), isExecutable: executable, size, mtime }, name)
}

/** Describes what is in a folder; `isRepository` says whether its `.git` counts. */
export async function describeFolder(
  client: Client,
  folder: FsPath,
  isRepository: () => Promise<boolean>,
): Promise<Uint8Array[]> {
  const entries = (await client.list(folder)) ?? []
  const all = entries.map(async ({ name }) => {
    const isGit = (typeof name === 'string' ? name : new TextDecoder().decode(name)) === '.git'
    if (isGit) return (await isRepository()) ? listedFile({ kind: 'r' }, name) : null
    const stat = await client.lstat(below(folder, name))
    // A file may have been deleted meanwhile.
    return stat && described(stat, name)
  })
  return (await Promise.all(all)).filter((text) => text !== null)
}
