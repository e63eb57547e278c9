/** Finds the file that `blame` is about, and the commit that it is in. */
import type { Operands } from './blame-args.js'
import { bytesOfArgument, textOfBytes } from './bytes.js'
import type { Opened } from './command.js'
import { Exit, fatal } from './exit.js'
import { pathInTree } from './place.js'
import { findRevisions } from './revisions.js'

export interface Target {
  readonly commit: string
  /** The path from the top of the tree, one character per byte. */
  readonly path: string
  /** The path in messages. */
  readonly shown: string
  /** The lines of the file, without their line feeds. */
  readonly lines: readonly string[]
}

/** @throws Exit unless the arguments name one commit and one of its files */
export function findTarget(opened: Opened, operands: Operands, usage: string): Target {
  const [file, revisions] = split(opened, operands, usage)
  const [first, second] = revisions
  if (first !== undefined && second !== undefined) {
    throw fatal(`More than one commit to dig from ${second} and ${first}?`)
  }
  const { place, reader } = opened
  const path = pathInTree(place, place.prefix, bytesOfArgument(file), '')
  const commit = first === undefined ? reader.find('HEAD^{commit}') : commitOf(opened, first)
  if (commit === null) throw fatal('no such ref: HEAD')
  const shown = textOfBytes(path)
  const oid = path.endsWith('/') ? null : reader.find(`${commit}:${path}`)
  const lines =
    oid && reader.read(oid, ({ type, data }) => (type === 'blob' ? linesOf(data) : null))
  if (lines) return { commit, path, shown, lines }
  const inTree = first === undefined && place.top !== null && !place.isBare
  throw fatal(`no such path ${inTree ? `'${shown}'` : shown} in ${first ?? 'HEAD'}`)
}

/** Tells the file from the revisions. Without `--` the file is last, or before a revision. */
function split(opened: Opened, { before, after }: Operands, usage: string) {
  const wrong = new Exit(129, usage)
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

function commitOf(opened: Opened, arg: string): string {
  const name = bytesOfArgument(arg)
  const found = findRevisions(opened, name)
  if (found.kind === 'none') {
    if (found.why.errors !== '') opened.io.writeError(found.why.errors)
    throw fatal(`bad revision '${arg}'`)
  }
  if (found.kind !== 'one' || found.revision.excluded) {
    throw fatal(`packlens blame does not support '${arg}': name one commit`)
  }
  opened.names.warn(name)
  const commit = opened.reader.find(`${found.revision.oid}^{commit}`)
  if (commit === null) throw fatal(`Non commit ${arg}?`)
  return commit
}

function linesOf(data: Uint8Array): string[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const lines: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LF, at)
    lines.push(bytes.toString('latin1', at, end < 0 ? bytes.length : end))
    at = end < 0 ? bytes.length : end + 1
  }
  return lines
}

const LF = 10
