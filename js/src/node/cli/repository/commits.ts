/** Peels objects to commits. */
import type { Opened } from '../opening/command.js'

/** Returns the commit that an object peels to; if there is none, `null` and an error message. */
export function commitOf({ io, reader }: Opened, oid: string): string | null {
  const commit = reader.find(`${oid}^{commit}`)
  if (commit !== null) return commit
  const peeled = reader.find(`${oid}^{}`) ?? oid
  const info = reader.info(peeled)
  if (info) io.writeError(`error: object ${peeled} is a ${info.type}, not a commit\n`)
  return null
}
