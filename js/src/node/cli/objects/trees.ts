/** Parses trees into entries, as git shows them. */
import { PacklensError } from '../../../base/errors.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes } from '../text/bytes.js'

export interface Entry {
  /** One of the five modes that git writes today, in octal digits. */
  readonly mode: string
  readonly type: 'blob' | 'tree' | 'commit'
  readonly oid: string
  readonly name: string
}

/** Returns the entries of a tree; `null` if the tree is missing. */
export function readTree(reader: Reader, oid: string): Entry[] | null {
  return reader.read(oid, ({ type, data }) => {
    if (type !== 'tree') throw new PacklensError('WRONG_TYPE', 'not a tree', { subject: oid })
    return decodeTree(fromBytes(data), oid)
  })
}

function decodeTree(bytes: string, tree: string): Entry[] {
  const idLength = tree.length / 2
  const entries: Entry[] = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at)
    const nul = bytes.indexOf('\0', space)
    const end = nul + 1 + idLength
    const digits = bytes.slice(at, Math.max(space, at))
    const whole = space > at && nul > space + 1 && end <= bytes.length
    if (!whole || !/^[0-7]{1,11}$/.test(digits)) {
      throw new PacklensError('CORRUPT', 'a tree entry is damaged', { subject: tree })
    }
    const oid = Buffer.from(bytes.slice(nul + 1, end), 'latin1').toString('hex')
    const mode = Number.parseInt(digits, 8)
    entries.push({ ...canonical(mode), oid, name: bytes.slice(space + 1, nul) })
    at = end
  }
  return entries
}

function canonical(mode: number): Pick<Entry, 'mode' | 'type'> {
  switch (mode & 0o170000) {
    case 0o040000:
      return { mode: '040000', type: 'tree' }
    case 0o120000:
      return { mode: '120000', type: 'blob' }
    case 0o100000:
      return { mode: mode & 0o100 ? '100755' : '100644', type: 'blob' }
    default:
      return { mode: '160000', type: 'commit' }
  }
}
