/** Texts that stand for several commits: gitrevisions(7), "Specifying ranges". */
import { MERGE_BASES } from '../../history.js'
import type { Reader } from './reader.js'

/** A commit that a revision stands for, or that it leaves out. */
export interface Revision {
  readonly oid: string
  /** What it goes by, if by anything. */
  readonly name?: string
  readonly excluded: boolean
}

/** What stands on both sides of the dots. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly symmetric: boolean
}

/** Splits `a..b` and `a...b`, where what is left out is `HEAD`; `null` if it is neither. */
export function splitRange(text: string): Range | null {
  const at = text.indexOf('..')
  if (at < 0) return null
  const symmetric = text[at + 2] === '.'
  const from = text.slice(0, at)
  const to = text.slice(at + (symmetric ? 3 : 2))
  // This is the folder above, not a range.
  if (from === '' && to === '' && !symmetric) return null
  return { from: from || 'HEAD', to: to || 'HEAD', symmetric }
}

/** Returns the commits of `a..b` and `a...b`; `null` if this is no such text. */
export function findRange(reader: Reader, text: string): Revision[] | null {
  const range = splitRange(text)
  const start = range && reader.find(range.from)
  const end = range && reader.find(range.to)
  if (range === null || start === null || end === null) return null
  const { from, to, symmetric } = range
  const both = [
    { oid: end, name: to, excluded: false },
    { oid: start, name: from, excluded: !symmetric },
  ]
  if (!symmetric) return both
  const one = reader.find(`${start}^{commit}`)
  const other = reader.find(`${end}^{commit}`)
  if (one === null || other === null) return null
  const bases = reader.mergeBases([one, other], MERGE_BASES.common).split('\n').slice(0, -1)
  return [...both, ...bases.map((oid) => ({ oid, excluded: true }))]
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
