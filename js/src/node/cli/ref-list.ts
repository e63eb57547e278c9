/** Refs as commands see them: names with a character a byte. */
import type { RefsQuestion } from '../../protocol.js'
import { decodeRefs } from '../../records.js'
import { bytesOfArgument, fromBytes, toBytes } from './bytes.js'
import type { Reader } from './reader.js'

export interface ListedRef {
  readonly name: string
  /** The object it leads to, `null` if it is broken. */
  readonly oid: string | null
  /** The ref that a symbolic ref points at. */
  readonly target: string | null
  /** What its tag leads to in the end, `null` if it is no tag or that was not asked. */
  readonly peeled: string | null
}

export interface ListWishes {
  readonly prefix?: string
  /** As those of `for-each-ref`. */
  readonly patterns?: readonly string[]
  readonly pointsAt?: string | undefined
  /** Commits, one of which the refs must lead to, and so on; none: no matter. */
  readonly reach?: RefReach | undefined
  /** Patterns of what is left out. */
  readonly exclude?: readonly string[]
  readonly peel?: boolean
  /** Also those whose names break git's rules, as broken ones. */
  readonly badNames?: boolean
  readonly ignoreCase?: boolean
}

/** Commits by what refs are to do with them: those of each kind, one of them at least. */
export interface RefReach {
  readonly contains: readonly string[]
  readonly noContains: readonly string[]
  readonly merged: readonly string[]
  readonly noMerged: readonly string[]
}

/** Hands refs to `use`, in the order of their names. */
export function eachRef(reader: Reader, flags: ListWishes, use: (ref: ListedRef) => void): void {
  const { prefix = '', patterns = [], pointsAt, exclude = [] } = flags
  const { contains = [], noContains = [], merged = [], noMerged = [] } = flags.reach ?? {}
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
    ignoreCase: flags.ignoreCase,
    peel: flags.peel,
    badNames: flags.badNames,
  }
  reader.pages(question, (page) => {
    for (const { nameBytes, oid, target, peeled } of decodeRefs(Uint8Array.from(page))) {
      const named = target === null ? null : bytesOfArgument(target)
      use({ name: fromBytes(nameBytes), oid, target: named, peeled })
    }
  })
}
