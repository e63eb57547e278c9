/** Prints commits as `rev-list` does with a format, a graph or shortened ids. */
import { parseIdent, stampOf } from '../pretty/ident-line.js'
import type { Pretty } from '../pretty/pretty-args.js'
import type { LogLines } from './log-lines.js'
import type { ListedCommit } from './log-printer.js'

export interface RevListShown {
  /** How commits are shown; `null` for ids alone. */
  readonly pretty: Pretty | null
  readonly commitId: (oid: string) => string
  /** What ends a commit. */
  readonly end: string
  readonly prefix: string
  /** Whether boundaries are named after their ids rather than marked before them. */
  readonly namesBoundaries: boolean
  /** Whether a line with the id is before the text. */
  readonly hasHeader: boolean
  readonly showsTime: boolean
  readonly showsParents: boolean
  readonly showsChildren: boolean
  /** Returns what is printed after the ids. */
  readonly names: (oid: string) => string
}

/** Prints a commit. */
export function printListed(lines: LogLines, how: RevListShown, commit: ListedCommit): void {
  const { content, mark, sign, parents, children } = commit
  const { pretty } = how
  lines.nextCommit(commit)
  lines.beginCommit()
  let line = how.showsTime ? `${timeOf(content.committer)} ` : ''
  line += how.prefix
  const isNamed = how.namesBoundaries && sign === '-'
  if (how.hasHeader) line += (lines.hasGraph || isNamed ? '' : sign) + how.commitId(content.oid)
  if (isNamed) line += `${how.end}boundary=yes`
  if (how.showsParents) line += parents.map((parent) => ` ${parent}`).join('')
  if (how.showsChildren) line += children.map((child) => ` ${child}`).join('')
  line += how.names(content.oid)
  const isOneline = pretty?.name === 'oneline'
  if (isOneline) line += ' '
  else if (how.hasHeader) line += pretty ? '\n' : how.end
  lines.addUnprefixed(line)
  if (!pretty) {
    lines.addRest()
    return
  }
  const graph = lines.width
  const text = pretty.show({ content, parents, mark: mark || '>', graph, source: '' })
  if (text === '') {
    lines.addRest()
    if (isOneline) lines.addUnprefixed('\n')
    return
  }
  if (!isOneline) lines.addOneline()
  lines.addMessage(text)
  if (text.endsWith('\n')) lines.addPadding()
  lines.addUnprefixed(how.end)
}

function timeOf(committer: string): string {
  const ident = parseIdent(committer)
  return ident ? `${stampOf(ident).seconds}` : '0'
}
