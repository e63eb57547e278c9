/** Completes shortened ids. */
import type { Repository } from '../index.js'
import { answered } from './calls.js'
import { AmbiguousError, NotFoundError } from './errors.js'
import type { ObjectParameters } from './objects.js'
import { isOid } from './resolve.js'

/** Returns the one id that begins with `oid`. */
export function expandOid(parameters: ObjectParameters): Promise<string> {
  return answered('expandOid', parameters, ['oid'], async (repo) => {
    const { oid } = parameters
    const matches = await idsFrom(repo, oid)
    const [only] = matches
    if (only === undefined) throw new NotFoundError(`an object matching "${oid}"`)
    if (matches.length > 1) throw new AmbiguousError('oids', oid, matches)
    return only
  })
}

async function idsFrom(repo: Repository, short: string): Promise<readonly string[]> {
  if (!/^[0-9a-f]+$/.test(short)) return []
  const { value: row } = (await repo.readMany([short], { fields: 'size' }))
    [Symbol.iterator]()
    .next()
  if (row?.type === 'ambiguous') return row.candidates
  const oid = row && 'oid' in row ? row.oid : ''
  if (oid.startsWith(short)) return [oid]
  if (isOid(short)) return []
  // To git this is a ref, or too short.
  const matches: string[] = []
  for await (const found of repo.objects({ fields: 'info' })) {
    if ('oid' in found && found.oid.startsWith(short)) matches.push(found.oid)
  }
  return matches
}
