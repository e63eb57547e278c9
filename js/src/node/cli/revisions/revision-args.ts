/** Tells the revisions among the arguments of `diff` and `diff-tree` from the paths after them. */

import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { bytesOfArgument } from '../text/bytes.js'
import { checkPaths } from './path-args.js'
import type { Revision } from './revisions.js'
import { commitsOfRange, findRevisions } from './revisions.js'

export interface Arguments {
  /** The revisions, in which a range is its two ends; `a...b` has the merge bases, too. */
  readonly revisions: readonly Revision[]
  /** Whether one of the arguments is `a...b`. */
  readonly symmetric: boolean
  /** Whether one of several arguments is a range. */
  readonly isMixed: boolean
  readonly paths: readonly string[]
}

/** Takes arguments before `--`; without one the first that is no revision begins the paths. */
export function splitArguments(
  opened: Opened,
  args: readonly string[],
  hasDashes: boolean,
): Arguments {
  const revisions: Revision[] = []
  let [symmetric, hasRange] = [false, false]
  for (const [at, arg] of args.entries()) {
    const found = findRevisions(opened, bytesOfArgument(arg))
    if (found.kind === 'none') {
      const paths = args.slice(at)
      checkPaths(opened, paths, found.why, hasDashes)
      return { revisions, symmetric, isMixed: hasRange && at > 1, paths }
    }
    if (found.kind === 'one') {
      opened.names.warn(found.revision.name)
      revisions.push(found.revision)
    } else if (found.kind === 'several') revisions.push(...found.revisions)
    else {
      hasRange = true
      symmetric ||= found.range.symmetric
      const range = commitsOfRange(opened.reader, found)
      if (!range.complete) throw fatal(`Invalid symmetric difference expression ${arg}`)
      // git remembers the start of a range first.
      const [end, start, ...bases] = range.revisions
      if (start && end) revisions.push(start, end, ...bases)
      opened.names.warn(found.range.from)
      opened.names.warn(found.range.to)
    }
  }
  return { revisions, symmetric, isMixed: hasRange && args.length > 1, paths: [] }
}

/** Returns the merge base of two commits, as `--merge-base` needs it. */
export function mergeBase({ reader }: Opened, one: string, other: string): string {
  const commits = [one, other].map((oid) => reader.find(`${oid}^{commit}`))
  if (commits.some((oid) => oid === null)) {
    throw fatal('--merge-base only works with commits')
  }
  const bases = reader
    .mergeBases(commits as string[], 'common')
    .split('\n')
    .slice(0, -1)
  const [base] = bases
  if (base === undefined) throw fatal('no merge base found')
  if (bases.length > 1) throw fatal('multiple merge bases found')
  return base
}
