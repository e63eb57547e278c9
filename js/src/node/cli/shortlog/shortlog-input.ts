/** The commits of a log that `shortlog` reads from standard input. */

import { cutAtNul, readLines } from '../args/requests.js'
import { fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { type Ident, parseIdent } from '../pretty/ident-line.js'
import { fromBytes } from '../text/bytes.js'
import type { Group } from './shortlog-groups.js'

/** A commit as a log shows it. */
export interface LoggedCommit {
  readonly who: Ident
  /** The first line of the message; empty if the log ends before. */
  readonly subject: string
}

/** How lines about a person begin, in formats for users and in `raw`. */
const BEGINNINGS = { author: ['Author: ', 'author '], committer: ['Commit: ', 'committer '] }

/**
 * Yields the commits of a log, each once its subject was read: the first line that is not empty after
 * an empty one.
 */
export function* readLog(io: Io, groups: readonly Group[]): Generator<LoggedCommit, undefined> {
  const beginnings = BEGINNINGS[kindOf(groups)]
  let who: Ident | null = null
  let isHeader = true
  for (const bytes of readLines(io)) {
    const line = fromBytes(cutAtNul(bytes))
    if (who === null) {
      const mark = beginnings.find((one) => line.startsWith(one))
      who = mark === undefined ? null : parseIdent(line.slice(mark.length))
      isHeader = true
    } else if (line === '') isHeader = false
    else if (!isHeader) {
      yield { who, subject: line }
      who = null
    }
  }
  if (who) yield { who, subject: '' }
}

function kindOf(groups: readonly Group[]): 'author' | 'committer' {
  const kinds = new Set(groups.map(({ kind }) => kind))
  const [kind] = kinds
  if (kinds.size > 1) throw fatal('using multiple --group options with stdin is not supported')
  if (kind === 'author' || kind === 'committer') return kind
  throw fatal(`using --group=${kind} with stdin is not supported`)
}
