/** Finds the file of a URL's path: below a folder, and never through a link that leaves it. */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { sep } from 'node:path'

/** A file that is open for reading. */
export interface OpenFile {
  readonly file: FileHandle
  readonly size: number
  /** A strong validator, in quotes. */
  readonly tag: string
  readonly modified: Date
}

/** Returns the parts of a path, whose names are bytes; `null` if it could leave a folder. */
export function partsOf(pathname: string): Buffer[] | null {
  const parts: Buffer[] = []
  for (const part of pathname.split('/').slice(1)) {
    const name = decoded(part)
    // A backslash separates folders on some systems, and a colon names streams and drives.
    if (name === null || /^\.{0,2}$|[\0/\\:]/.test(name.toString('latin1'))) return null
    parts.push(name)
  }
  return parts
}

/** Decodes percent signs to bytes. */
function decoded(part: string): Buffer | null {
  if (/%(?![0-9a-f]{2})/i.test(part)) return null
  const bytes = part.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a URL has ASCII only
  return /^[\x00-\xff]*$/.test(bytes) ? Buffer.from(bytes, 'latin1') : null
}

/** Opens the file of a path below `root`, which is a real path; `null` if there is none. */
export async function openFile(root: Buffer, parts: readonly Buffer[]): Promise<OpenFile | null> {
  const separator = Buffer.from(sep)
  const named = Buffer.concat([root, ...parts.flatMap((part) => [separator, part])])
  let file: FileHandle | undefined
  try {
    const real = await realpath(named, { encoding: 'buffer' })
    const top = Buffer.concat([root, separator])
    if (!real.subarray(0, top.length).equals(top)) return null
    // Opening a pipe would wait for a process that writes into it.
    const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants
    file = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stat = await file.stat({ bigint: true })
    if (stat.isFile()) {
      const tag = `"${stat.ino.toString(36)}-${stat.size.toString(36)}-${stat.mtimeNs.toString(36)}"`
      return { file, size: Number(stat.size), tag, modified: new Date(Number(stat.mtimeMs)) }
    }
  } catch {
    // Whatever the reason: a client learns only that there is no such file.
  }
  await file?.close()
  return null
}
