/**
 * Lists the files of a work tree that is read through a file system client, in the form that
 * `worktree/listed.rs` of the core expects. Of a file the size, the second of its last change and
 * its mode are known, not its other fields.
 */
import type { Client, FsPath, FsStat } from './fs-client.js'
import { below } from './fs-paths.js'

const encoder = new TextEncoder()

/** The owner's bit of a mode; git ignores the other execute bits. */
const EXECUTABLE = 0o100

/** Returns what the client says of a file, before its name. */
export function described(stat: FsStat | null, name: FsPath): Uint8Array {
  const { mode } = stat ?? {}
  const time = Number(stat?.mtimeMs ?? stat?.mtime ?? Number.NaN)
  const facts = [
    kindOf(stat),
    mode === undefined ? '-' : Number((mode & EXECUTABLE) !== 0),
    stat?.size ?? 0,
    Number.isNaN(time) ? '-' : `${Math.floor(time / 1000)}s`,
  ].join(' ')
  const start = encoder.encode(`${facts} - - - - `)
  const end = typeof name === 'string' ? encoder.encode(name) : name
  return Uint8Array.from([...start, ...end])
}

function kindOf(stat: FsStat | null): string {
  if (stat?.isFile()) return 'f'
  if (stat?.isDirectory()) return 'd'
  return stat?.isSymbolicLink?.() ? 'l' : 'o'
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
    if (isGit) return (await isRepository()) ? encoder.encode('r - 0 - - - - - .git') : null
    const stat = await client.lstat(below(folder, name))
    // A file may have been deleted meanwhile.
    return stat && described(stat, name)
  })
  return (await Promise.all(all)).filter((text) => text !== null)
}
