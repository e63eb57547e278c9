/** Commits before their changes, as `diff-tree` shows them: `--pretty` and the options about it. */

import type { Option } from '../args/options.js'
import { Misused } from '../base/exit.js'
import type { Lines } from '../base/output.js'
import { hasFormat, outputOf } from '../diff/diff-args.js'
import type { PrintedTrees } from '../diff/diff-printer.js'
import { WIDTH } from '../diff/diff-stat.js'
import type { Opened } from '../opening/command.js'
import { readCommit } from '../pretty/commit-content.js'
import type { PrettyArgs } from '../pretty/pretty-args.js'
import { NO_MARKS } from './commit-list.js'
import type { MergeDiffs } from './log-args.js'
import { PlainLines } from './log-lines.js'
import { LogPrinter } from './log-printer.js'

/** Returns the options that say how commits are shown; `show` is called if they are. */
export function shownOptions(pretty: PrettyArgs, show: () => void): Option[] {
  const option = (long: string, value?: Option['value']): Option => ({
    ...(value ? { long, value } : { long }),
    set: (given) =>
      pretty.take(given === undefined ? `--${long}` : `--${long}=${given}`, undefined),
  })
  const flag = (long: string, value?: Option['value']): Option => ({
    ...option(long, value),
    negatable: true,
    set(given, negated) {
      if (negated) pretty.take(`--no-${long}`, undefined)
      else option(long).set(given, false)
    },
  })
  const showing = (made: Option): Option => ({
    ...made,
    set(given, negated) {
      show()
      made.set(given, negated)
    },
  })
  return [
    showing(option('pretty', 'optional')),
    showing({
      ...option('format', 'optional'),
      set(given) {
        // git takes a format of its own argument for a revision.
        if (given === undefined) throw new Misused()
        option('format').set(given, false)
      },
    }),
    showing(option('oneline')),
    { short: 'v', set: show },
    option('date', 'required'),
    option('relative-date'),
    option('encoding', 'required'),
    flag('abbrev-commit'),
    flag('expand-tabs', 'optional'),
    flag('notes'),
  ]
}

export interface ShownHow {
  readonly pretty: PrettyArgs
  readonly merges: MergeDiffs
  /** Whether commits without parents are compared with the empty tree. */
  readonly showsRoot: boolean
}

/** Prints commits that have changes, each with a blank line before the next as `log` does. */
export class ShownCommits {
  readonly #opened: Opened
  readonly #pretty: PrettyArgs
  readonly #lines: Lines
  readonly #printer: LogPrinter

  constructor(opened: Opened, args: PrintedTrees, { pretty, ...how }: ShownHow) {
    const { digits, isSilent, palette } = args
    this.#opened = opened
    this.#pretty = pretty
    this.#lines = outputOf(args, opened.io)
    // What is printed of merges has to be named.
    const raw = args.raw || !(isSilent || hasFormat(args))
    // Unlike log, diff-tree does not look at COLUMNS.
    const statWidths = { ...args.statWidths, width: args.statWidths.width || WIDTH }
    const chosen = { mergesOnly: false, choosesCommits: true, isShown: true, file: null }
    this.#printer = new LogPrinter(opened, new PlainLines(this.#lines), {
      pretty: pretty.pretty(opened, { digits, showsNotes: false, palette }),
      diffs: { ...args, statWidths, raw, ...how, ...chosen },
      ...{ showsParents: false, showsChildren: false, showsSource: false, lines: null },
      choosesParents: true,
    })
  }

  /** Prints a commit and what it changes of these parents, if there is something. */
  print(oid: string, parents: readonly string[]): void {
    const content = readCommit(this.#opened.reader, oid, this.#pretty.encoding)
    this.#printer.print({ ...NO_MARKS, content, parents, compared: parents })
    this.#lines.flush()
  }
}
