/** The contents of both sides of a change, as text. */
import type { FileChange } from '../../../base/types.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes } from '../text/bytes.js'

/** Returns the old and the new content, one character per byte; empty where there is none. */
export function contentsOf(reader: Reader, { oldOid, newOid }: FileChange): [string, string] {
  const content = (oid: string | null) =>
    (oid && reader.info(oid)?.type === 'blob' && reader.read(oid, ({ data }) => fromBytes(data))) ||
    ''
  return [content(oldOid), content(newOid)]
}
