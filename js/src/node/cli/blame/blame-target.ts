/** Finds the file that `blame` is about, and the commit that it is in. */

import { fatal, Misused } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { linesOf } from '../repository/file-lines.js'
import { pathInTree } from '../repository/place.js'
import { commitsOfRange, findRevisions } from '../revisions/revisions.js'
import { bytesOfArgument, textOfBytes } from '../text/bytes.js'
import type { Operands } from './blame-args.js'

export interface Target {
  readonly commit: string
  /** The end of a blame in reverse, which begins at `commit`. */
  readonly end: string | null
  /** The commits that end history. */
  readonly excluded: readonly string[]
  /** The path from the top of the tree, one character per byte. */
  readonly path: string
  /** The id of the file's content. */
  readonly oid: string
  /** The path in messages. */
  readonly shown: string
  /** The lines of the file, without their line feeds. */
  readonly lines: readonly string[]
}

/** @throws Exit unless the arguments name one commit, or a range, and one of its files */
export function findTarget(opened: Opened, operands: Operands, isReverse: boolean): Target {
  const [file, revisions] = split(opened, operands)
  const { place, reader } = opened
  const path = pathInTree(place, place.prefix, bytesOfArgument(file), '')
  const { commit, end, excluded, name } = commitsAsked(opened, revisions, isReverse)
  const shown = textOfBytes(path)
  const oid = path.endsWith('/') ? null : reader.find(`${commit}:${path}`)
  const lines =
    oid && reader.read(oid, ({ type, data }) => (type === 'blob' ? linesOf(data) : null))
  if (oid && lines) return { commit, end, excluded, path, oid, shown, lines }
  const inTree = name === null && place.top !== null && !place.isBare
  throw fatal(`no such path ${inTree ? `'${shown}'` : shown} in ${name ?? 'HEAD'}`)
}

/** Returns the commit whose file is blamed, its name if it has one, and where history ends. */
function commitsAsked(opened: Opened, revisions: readonly string[], isReverse: boolean) {
  const { reader } = opened
  const found = revisions.flatMap((arg) => commitsOf(opened, arg))
  const isOut = new Set(found.flatMap(({ commit, isExcluded }) => (isExcluded ? [commit] : [])))
  // A commit that is named twice is excluded if it is so once.
  const excluded = found.filter(({ commit }) => isOut.has(commit))
  const included = found.filter(({ commit }) => !isOut.has(commit))
  const head = reader.find('HEAD^{commit}')
  const noHead = fatal('no such ref: HEAD')
  if (!isReverse) {
    const tip = onlyOne(included, 'dig from')
    const commit = tip?.commit ?? head
    if (commit === null) throw noHead
    const ends = excluded.map(({ commit }) => commit)
    return { commit, end: null, excluded: ends, name: tip?.name ?? null }
  }
  const hasStart = excluded.length > 0
  if (!hasStart && (included.length > 1 || (included.length === 1 && head === null))) {
    throw fatal('No commit to dig up from?')
  }
  const start = onlyOne(hasStart ? excluded : included, 'dig up from,')
  const tip = hasStart ? onlyOne(included, 'dig from') : undefined
  const [commit, end] = [start?.commit ?? head, tip?.commit ?? head]
  if (commit === null || end === null) throw noHead
  return { commit, end, excluded: [], name: start?.name ?? null }
}

/** @throws Exit if there are several commits */
function onlyOne(commits: readonly NamedCommit[], purpose: string): NamedCommit | undefined {
  const [first, second] = commits
  if (!first || !second) return first
  throw fatal(`More than one commit to ${purpose} ${second.name} and ${first.name}?`)
}

/** Tells the file from the revisions. Without `--` the file is last, or before a revision. */
function split(opened: Opened, { before, after }: Operands) {
  const wrong = new Misused()
  if (after) {
    const [file, revision, ...more] = after
    if (file === undefined || more.length > 0) throw wrong
    if (revision === undefined) return [file, before] as const
    if (before.length > 0) throw wrong
    return [file, [revision]] as const
  }
  const revisions = before.slice(0, -1)
  const last = before[before.length - 1]
  if (last === undefined) throw wrong
  const [first] = revisions
  if (first !== undefined && revisions.length === 1 && isRevision(opened, last)) {
    return [first, [last]] as const
  }
  const { top, isBare } = opened.place
  if (first === undefined && (top === null || isBare) && isRevision(opened, last)) {
    throw fatal('missing <path> to blame')
  }
  return [last, revisions] as const
}

function isRevision({ names }: Opened, arg: string): boolean {
  return names.find(bytesOfArgument(arg)) !== null
}

/** A commit that an argument names, or excludes. */
interface NamedCommit {
  readonly commit: string
  readonly name: string
  readonly isExcluded: boolean
}

function commitsOf(opened: Opened, arg: string): NamedCommit[] {
  const { names, reader } = opened
  const name = bytesOfArgument(arg)
  const found = findRevisions(opened, name)
  if (found.kind === 'none') {
    if (found.why.errors !== '') opened.io.writeError(found.why.errors)
    throw fatal(`bad revision '${arg}'`)
  }
  if (found.kind === 'one') names.warn(found.revision.name)
  const revisions =
    found.kind === 'one'
      ? [found.revision]
      : found.kind === 'several'
        ? found.revisions
        : commitsOfRange(reader, found).revisions
  return revisions.map(({ oid, name: given = oid, excluded: isExcluded }) => {
    const commit = reader.find(`${oid}^{commit}`)
    if (commit === null) throw fatal(`Non commit ${textOfBytes(given)}?`)
    return { commit, name: textOfBytes(given), isExcluded }
  })
}
