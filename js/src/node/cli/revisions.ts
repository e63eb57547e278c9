/** Texts that stand for several commits: gitrevisions(7), "Specifying ranges". */
import { textOfBytes } from './bytes.js'
import { fatal } from './exit.js'
import type { Reader } from './reader.js'

/** A commit that a revision stands for, or that it leaves out. */
export interface Revision {
  readonly oid: string
  /** What it goes by, if by anything. */
  readonly name?: string
  readonly excluded: boolean
}

/** Returns the commits of `a..b` and `a...b`; `null` if this is no such text. */
export function findRange(reader: Reader, text: string): Revision[] | null {
  const at = text.indexOf('..')
  if (at < 0) return null
  const symmetric = text[at + 2] === '.'
  const left = text.slice(0, at)
  const right = text.slice(at + (symmetric ? 3 : 2))
  // This is the folder above, not a range.
  if (left === '' && right === '' && !symmetric) return null
  const [from, to] = [left || 'HEAD', right || 'HEAD']
  const start = reader.find(from)
  const end = reader.find(to)
  if (start === null || end === null) return null
  const both = [
    { oid: end, name: to, excluded: false },
    { oid: start, name: from, excluded: !symmetric },
  ]
  if (!symmetric) return both
  const one = reader.find(`${start}^{commit}`)
  const other = reader.find(`${end}^{commit}`)
  if (one === null || other === null) return null
  if (one !== other) throw fatal(`packlens rev-parse cannot do ${textOfBytes(text)}`)
  return [...both, { oid: one, excluded: true }]
}

/** Returns the commits of `a^@`, `a^!` and `a^-1`; `null` if this is no such text. */
export function findShorthand(reader: Reader, text: string): Revision[] | null {
  const [, name = '', mark, digits] = /^(.*?)\^([!@-])(\d*)$/s.exec(text) ?? []
  if (mark === undefined || (mark !== '-' && digits !== '')) return null
  const oid = reader.find(name)
  const commit = oid === null ? null : reader.find(`${oid}^{commit}`)
  if (oid === null || commit === null) return null
  const parents = parentsOf(reader, commit)
  const wanted = mark === '-' ? Number(digits || 1) : null
  if (wanted !== null && (wanted < 1 || wanted > parents.length)) return null
  const revisions: Revision[] = mark === '@' ? [] : [{ oid, name, excluded: false }]
  for (const [at, parent] of parents.entries()) {
    if (wanted === null || wanted === at + 1)
      revisions.push({ oid: parent, excluded: mark !== '@' })
  }
  return revisions
}

function parentsOf(reader: Reader, commit: string): string[] {
  const parents: string[] = []
  for (let number = 1; ; number++) {
    const parent = reader.find(`${commit}^${number}`)
    if (parent === null) return parents
    parents.push(parent)
  }
}
