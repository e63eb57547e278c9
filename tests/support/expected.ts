import type { ObjectType } from 'packlens'

/** git's facts about an object; `disk` and `deltabase` are null if it is stored more than once. */
export interface ExpectedObject {
  readonly oid: string
  readonly type: ObjectType
  readonly size: number
  readonly sha256: string
  readonly disk: number | null
  readonly deltabase: string | null
}

export interface ExpectedRef {
  readonly name: string
  readonly oid: string
  readonly peeled: string | null
  readonly symref: string | null
}

/** git's answers about a fixture: see tests/fixtures/answers.mjs. */
export interface Expected {
  readonly name: string
  /** The folder below that of all fixtures. */
  readonly path: string
  readonly objectFormat: 'sha1' | 'sha256'
  readonly objects: readonly ExpectedObject[]
  readonly packOrder?: readonly string[]
  readonly refs: readonly ExpectedRef[]
  readonly head: { readonly symref: string | null; readonly oid: string | null }
  readonly resolve: Readonly<Record<string, string | null>>
  readonly resolveMore: Readonly<Record<string, string | null>>
  readonly lsTree: Readonly<Record<string, { flat: string; recursive?: string }>>
  readonly catFileP: Readonly<Record<string, string>>
}

/** The refs in the form that packs take them. */
export function refsOf({ refs, head }: Expected): Record<string, string> {
  const named = refs.map(({ name, oid, symref }) => [name, symref ? `ref: ${symref}` : oid])
  const first = head.symref ? `ref: ${head.symref}` : head.oid
  return Object.fromEntries([...named, ...(first ? [['HEAD', first]] : [])])
}
