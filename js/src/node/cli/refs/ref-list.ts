/** Lists refs for commands, with names of one character per byte. */
import type { RefsQuestion } from '../../../base/protocol.js'
import { decodeRefs } from '../../../objects/records.js'
import type { Reader } from '../repository/reader.js'
import { bytesOfArgument, fromBytes, toBytes } from '../text/bytes.js'

export interface ListedRef {
  readonly name: string
  /** The id of the object that the ref resolves to; `null` if the ref is broken. */
  readonly oid: string | null
  /** The ref that a symbolic ref points at. */
  readonly target: string | null
  /** The object that a tag peels to; `null` if it is no tag, or `peel` is not requested. */
  readonly peeled: string | null
}

export interface RefListOptions {
  readonly prefix?: string
  /** Patterns of `for-each-ref`. */
  readonly patterns?: readonly string[]
  readonly pointsAt?: string | undefined
  /** Commits that limit the refs. Default: no limit. */
  readonly reach?: RefReach | undefined
  /** Patterns of excluded refs. */
  readonly exclude?: readonly string[]
  readonly peel?: boolean
  /** Lists refs whose names break git's rules too, as broken refs. */
  readonly badNames?: boolean
  readonly ignoreCase?: boolean
}

/**
 * Commits that limit refs; an empty list sets no limit. A listed ref reaches one commit of
 * `contains` and none of `noContains`; one of `merged` and none of `noMerged` reaches it.
 */
export interface RefReach {
  readonly contains: readonly string[]
  readonly noContains: readonly string[]
  readonly merged: readonly string[]
  readonly noMerged: readonly string[]
}

/** Passes refs to `use`, in the order of their names. */
export function eachRef(
  reader: Reader,
  options: RefListOptions,
  use: (ref: ListedRef) => void,
): void {
  const { prefix = '', patterns = [], pointsAt, exclude = [] } = options
  const { contains = [], noContains = [], merged = [], noMerged = [] } = options.reach ?? {}
  const question: RefsQuestion = {
    kind: 'refs',
    prefix: toBytes(prefix),
    pointsAt: pointsAt === undefined ? undefined : toBytes(pointsAt),
    patterns: reader.specs(patterns),
    exclude: reader.specs(exclude),
    contains: reader.specs(contains),
    noContains: reader.specs(noContains),
    merged: reader.specs(merged),
    noMerged: reader.specs(noMerged),
    ignoreCase: options.ignoreCase,
    peel: options.peel,
    badNames: options.badNames,
  }
  reader.pages(question, (page) => {
    for (const { nameBytes, oid, target, peeled } of decodeRefs(Uint8Array.from(page))) {
      const named = target === null ? null : bytesOfArgument(target)
      use({ name: fromBytes(nameBytes), oid, target: named, peeled })
    }
  })
}
