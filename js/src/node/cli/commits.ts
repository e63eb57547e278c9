/** Names that should lead to a commit. */
import type { Opened } from './command.js'

/** Returns the commit that an object leads to; says so, and returns `null`, if it leads to none. */
export function commitOf({ io, reader }: Opened, oid: string): string | null {
  const commit = reader.find(`${oid}^{commit}`)
  if (commit !== null) return commit
  const peeled = reader.find(`${oid}^{}`) ?? oid
  const info = reader.info(peeled)
  if (info) io.writeError(`error: object ${peeled} is a ${info.type}, not a commit\n`)
  return null
}
