/** `rev-list --unpacked`: lists only the commits and objects that are in no pack. */
import type { RevListQuestion } from '../../../base/protocol.js'
import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { walkSlowly } from '../repository/walk.js'
import { fromBytes, toBytes } from '../text/bytes.js'

/** The id of a listed commit or object, after its mark. */
const LISTED = /^[<>=+]?([0-9a-f]{40,})/

const refused = (other: string) =>
  fatal(`packlens rev-list does not support --unpacked with ${other}`)

/** Returns a question for all objects; those in packs do not count for limits of their number. */
function unlimited(request: RevListQuestion): RevListQuestion {
  const { objects, limit, skip = 0, reverse } = request
  const isLimited = limit !== undefined || skip > 0
  if (request.lines?.includes('boundary')) throw refused('--boundary')
  if (isLimited && (objects || reverse)) {
    throw refused(`a limit of the number of commits and ${objects ? '--objects' : '--reverse'}`)
  }
  return { ...request, limit: undefined, skip: undefined, count: false }
}

/**
 * Passes what a question lists and is in no pack to `use`, page by page; of a question for a number
 * the number alone. Lines about other objects, those that are missing or omitted, are kept.
 */
export function listUnpacked(
  opened: Opened,
  request: RevListQuestion,
  use: (page: Uint8Array) => void,
): void {
  let { skip = 0 } = request
  let left = request.limit ?? Number.POSITIVE_INFINITY
  let listed = 0
  const isKept = (line: string) => {
    const [, oid] = LISTED.exec(line) ?? []
    if (oid === undefined) return true
    if (opened.reader.isPacked(oid) || skip-- > 0) return false
    if (left-- <= 0) return false
    listed++
    return true
  }
  walkSlowly(opened, unlimited(request), (page) => {
    const lines = fromBytes(page).split('\n').slice(0, -1).filter(isKept)
    if (!request.count && lines.length > 0) use(toBytes(`${lines.join('\n')}\n`))
    return left > 0
  })
  if (request.count) use(toBytes(`${listed}\n`))
}
