/** Resolves texts that stand for several commits: gitrevisions(7), "Specifying ranges". */

import { type Exit, fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import type { Diagnosis } from '../repository/names.js'
import type { Reader } from '../repository/reader.js'

/** A commit that a revision includes or excludes. */
export interface Revision {
  readonly oid: string
  /** The name of the commit, if the revision names it. */
  readonly name?: string
  readonly excluded: boolean
  /** Whether `<commit>^@` stands for it and for other parents. */
  readonly isParent?: boolean
  /** The text that `rev-parse --symbolic` shows, if not the name. */
  readonly symbol?: string
}

/** The names on both sides of the dots of a range. */
export interface Range {
  readonly from: string
  readonly to: string
  readonly symmetric: boolean
}

/** Splits `a..b` and `a...b`, in which an empty side is `HEAD`; `null` for other texts. */
function splitRange(text: string): Range | null {
  const at = text.indexOf('..')
  if (at < 0) return null
  const symmetric = text[at + 2] === '.'
  const from = text.slice(0, at)
  const to = text.slice(at + (symmetric ? 3 : 2))
  // `..` alone is the parent folder, not a range.
  if (from === '' && to === '' && !symmetric) return null
  return { from: from || 'HEAD', to: to || 'HEAD', symmetric }
}

/** The result of resolving an argument that may be a revision. */
export type Found =
  | { readonly kind: 'range'; readonly range: Range; readonly from: string; readonly to: string }
  | { readonly kind: 'several'; readonly revisions: readonly Revision[] }
  | { readonly kind: 'one'; readonly revision: Revision & { readonly name: string } }
  | { readonly kind: 'none'; readonly why: Diagnosis }

/** Resolves an argument: to a range, several commits, or one object. */
export function findRevisions({ reader, names }: Opened, text: string): Found {
  const range = splitRange(text)
  const [from, to] = range ? [names.find(range.from, true), names.find(range.to, true)] : []
  if (range && from != null && to != null) return { kind: 'range', range, from, to }
  const several = findShorthand(reader, text)
  if (several) return { kind: 'several', revisions: several }
  const excluded = text.startsWith('^')
  const name = excluded ? text.slice(1) : text
  try {
    return { kind: 'one', revision: { oid: names.resolve(name), name, excluded } }
  } catch (error) {
    return { kind: 'none', why: names.diagnose(name, error, true) }
  }
}

/** Returns git's error for an argument that is neither a revision nor a path. */
export function unknownArgument(arg: string, why?: string): Exit {
  const what = `ambiguous argument '${arg}': unknown revision or path not in the working tree.`
  const hint = "Use '--' to separate paths from revisions, like this:"
  const example = "'git <command> [<revision>...] -- [<file>...]'"
  return fatal(why ?? `${what}\n${hint}\n${example}`)
}

/**
 * Returns the commits of a range. If a side of `a...b` peels to no commit, returns only the
 * sides, without merge bases, and `complete` is false.
 */
export function commitsOfRange(
  reader: Reader,
  { range: { from, to, symmetric }, from: start, to: end }: Found & { kind: 'range' },
): { readonly revisions: readonly Revision[]; readonly complete: boolean } {
  const both = [
    { oid: end, name: to, excluded: false },
    { oid: start, name: from, excluded: !symmetric },
  ]
  if (!symmetric) return { revisions: both, complete: true }
  const one = reader.find(`${start}^{commit}`)
  const other = reader.find(`${end}^{commit}`)
  if (one === null || other === null) return { revisions: both, complete: false }
  const bases = reader.mergeBases([one, other], 'common').split('\n').slice(0, -1)
  const excluded = bases.map((oid) => ({ oid, excluded: true }))
  return { revisions: [...both, ...excluded], complete: true }
}

/** Returns the commits of `a^@`, `a^!` and `a^-1`; `null` for other texts and missing ones. */
function findShorthand(reader: Reader, text: string): Revision[] | null {
  const [, name = '', mark, digits] = /^(.*?)\^([!@-])(\d*)$/s.exec(text) ?? []
  if (mark === undefined || (mark !== '-' && digits !== '')) return null
  const oid = reader.find(name, true)
  const commit = oid === null ? null : reader.find(`${oid}^{commit}`)
  if (oid === null || commit === null) return null
  const parents = parentsOf(reader, commit)
  const chosen = mark === '-' ? Number(digits || 1) : null
  if (chosen !== null && (chosen < 1 || chosen > parents.length)) return null
  const revisions: Revision[] = mark === '@' ? [] : [{ oid, name, excluded: false }]
  for (const [at, parent] of parents.entries()) {
    if (chosen === null || chosen === at + 1)
      revisions.push({
        ...{ oid: parent, excluded: mark !== '@', isParent: mark === '@' },
        symbol: `${name}^${at + 1}`,
      })
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
