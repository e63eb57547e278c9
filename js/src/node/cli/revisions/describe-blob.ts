/** Finds the commit that brought a blob, for `describe`: the first one of a walk from HEAD in reverse. */
import { decodeChanges } from '../../../objects/change.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes } from '../text/bytes.js'

export interface PlaceOfBlob {
  readonly commit: string
  /** One character per byte. */
  readonly path: string
}

/** Returns the commit and the path; `null` if no commit that HEAD reaches has the blob. */
export function firstPlaceOf(reader: Reader, blob: string): PlaceOfBlob | null {
  const head = reader.find('HEAD^{commit}')
  if (head === null) return null
  const commits: string[][] = []
  const walk = { kind: 'revList', specs: reader.specs([head]), lines: ['parents'] } as const
  reader.pages({ ...walk, reverse: true }, (page) => {
    for (const line of fromBytes(page).split('\n').slice(0, -1)) commits.push(line.split(' '))
  })
  for (const [commit = '', parent] of commits) {
    const path = pathIn(reader, blob, [parent, commit])
    if (path !== null) return { commit, path }
  }
  return null
}

/** Returns the first path at which a tree has the blob, and the one before does not. */
function pathIn(
  reader: Reader,
  blob: string,
  [old, now]: readonly [string | undefined, string],
): string | null {
  let path: string | null = null
  reader.pages({ kind: 'diff', old, new: now, recursive: true }, (page) => {
    for (const { newOid, pathBytes } of decodeChanges(new Uint8Array(page), undefined)) {
      if (newOid === blob) path ??= fromBytes(pathBytes)
    }
  })
  return path
}
