/** Finds where a commit forked from a ref, which may have been rewound since. */
import { decodeReflog } from '../../../objects/reflog.js'
import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { refsCalled } from '../refs/refnames.js'
import type { Reader } from '../repository/reader.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'

/**
 * Returns the only merge base of a commit and all commits that the ref ever pointed at, if it is
 * one of those.
 *
 * @throws Exit unless the name stands for one ref
 */
export function forkPoint({ reader }: Opened, name: string, commit: string | null): string | null {
  const [ref, ...others] = refsCalled(reader, bytesOfArgument(name))
  if (ref === undefined) throw fatal(`No such ref: '${name}'`)
  if (others.length > 0) throw fatal(`Ambiguous refname: '${name}'`)
  if (commit === null) return null
  const places = placesOf(reader, ref)
  if (places.length === 0) return null
  const bases = reader
    .mergeBases([commit, ...places], 'common')
    .split('\n')
    .slice(0, -1)
  const [base] = bases
  return base !== undefined && bases.length === 1 && places.includes(base) ? base : null
}

/** Returns the commits that a ref pointed at by its reflog; without one, that it points at. */
function placesOf(reader: Reader, ref: string): string[] {
  const ids: (string | null)[] = []
  reader.pages({ kind: 'reflog', name: toBytes(ref) }, (page) => {
    // From the newest change to the oldest; what was there before that comes last.
    for (const { oldOid, newOid } of decodeReflog(Uint8Array.from(page))) {
      ids.splice(-1, 1, newOid, oldOid)
    }
  })
  const own = new Set(ids.filter((oid) => oid !== null))
  const commits = [...own].filter((oid) => reader.info(oid)?.type === 'commit')
  const tip = commits.length > 0 ? null : reader.find(`${ref}^{commit}`)
  return tip === null ? commits : [tip]
}
