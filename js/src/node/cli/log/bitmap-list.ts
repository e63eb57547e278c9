/** Lists of objects that are made by bitmaps, and then made smaller. */
import { isPacklensError } from '../../../base/errors.js'
import type { RevListQuestion } from '../../../base/protocol.js'
import type { Opened } from '../opening/command.js'
import { walkSlowly } from '../repository/walk.js'
import { fromBytes } from '../text/bytes.js'
import type { Found } from './bitmap-filter.js'
import type { NamedTip } from './history-revisions.js'

/**
 * Passes the objects that bitmaps list and that `isKept` selects to `use`. Returns false, with
 * nothing passed, where they cannot answer: then a walk lists the objects, with their names.
 */
export function listByBitmaps(
  opened: Opened,
  request: RevListQuestion,
  isKept: (object: Found) => boolean,
  use: (oids: readonly string[]) => void,
): boolean {
  const { reader } = opened
  let isWalk = false
  // Both list commits first, the same ones in another order: they are kept until an object shows
  // which list it is.
  let early: string[] | null = []
  const take = (page: Uint8Array) => {
    const lines = fromBytes(page).split('\n').slice(0, -1)
    isWalk = early !== null && lines.some((line) => line.includes(' '))
    if (isWalk) return false
    const kept: string[] = []
    for (const oid of lines) {
      const found = reader.info(oid)
      if (found?.type !== 'commit' && early !== null) {
        use(early)
        early = null
      }
      if (found && isKept({ ...found, oid })) (early ?? kept).push(oid)
    }
    use(kept)
    return true
  }
  try {
    walkSlowly(opened, { ...request, useBitmaps: true, count: false }, take)
  } catch (error) {
    // The walk reports the missing object, or allows it.
    if (early === null || !isPacklensError(error, 'NOT_FOUND')) throw error
    return false
  }
  if (!isWalk && early) use(early)
  return !isWalk
}

/** Returns the ids of requested objects, and of what tags among them lead to. */
export function requestedIds({ reader }: Opened, tips: readonly NamedTip[]): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const tip of tips) {
    let oid: string | undefined = tip.excluded ? undefined : tip.oid
    while (oid !== undefined && !ids.has(oid)) {
      ids.add(oid)
      const isTag = reader.info(oid)?.type === 'tag'
      const content = isTag ? reader.read(oid, ({ data }) => fromBytes(data)) : null
      oid = /^object ([0-9a-f]+)\n/.exec(content ?? '')?.[1]
    }
  }
  return ids
}
