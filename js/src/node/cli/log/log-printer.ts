/** Prints commits and their changes, as `git log` does. */

import type { FilePatch } from '../../../base/types.js'
import { fatal } from '../base/exit.js'
import { painted } from '../color/palette.js'
import { ChangePrinter } from '../diff/diff-printer.js'
import { columnsOfTerminal } from '../diff/diff-stat.js'
import { printMerge, printMergeTables } from '../diff/merge-printer.js'
import type { LineLog } from '../line-log/line-log.js'
import type { Opened } from '../opening/command.js'
import type { CommitContent } from '../pretty/commit-content.js'
import { linesOfNote } from '../pretty/notes.js'
import type { Pretty } from '../pretty/pretty-args.js'
import type { LoggedChange } from '../pretty/pretty-context.js'
import { fromBytes } from '../text/bytes.js'
import type { LogDiffs } from './log-args.js'
import type { LogLines } from './log-lines.js'

/** A commit of a history. */
export interface ListedCommit {
  readonly content: CommitContent
  /**
   * `-` for a boundary, `=` for a commit whose change the other side of `a...b` has, `<` and `>` for
   * the sides; else empty.
   */
  readonly mark: string
  /** The mark that is shown before the id. */
  readonly sign: string
  /** Its parents, in a history that is simplified the nearest listed ancestors. */
  readonly parents: readonly string[]
  /** The parents that it is compared with. */
  readonly compared: readonly string[]
  readonly children: readonly string[]
  /** The revision that the walk came from; empty if it is not shown. */
  readonly source: string
  /** The change that led to it, in a walk over reflogs. */
  readonly reflog?: LoggedChange | undefined
  /** The commits after it, as many as {@link CommitsAhead} waits for. */
  readonly following?: readonly ListedCommit[]
}

export interface LogShown {
  readonly pretty: Pretty
  readonly diffs: LogDiffs
  readonly showsParents: boolean
  readonly showsChildren: boolean
  readonly showsSource: boolean
  /** The lines that are followed, if there are some. */
  readonly lines: LineLog | null
  /** Whether merges may be compared with other parents than their own. */
  readonly choosesParents?: boolean
}

export class LogPrinter {
  readonly #opened: Opened
  readonly #lines: LogLines
  readonly #how: LogShown
  readonly #end: string
  #hasShown = false
  #lacksLineFeed = false

  constructor(opened: Opened, lines: LogLines, how: LogShown) {
    this.#opened = opened
    this.#lines = lines
    this.#how = how
    this.#end = how.diffs.nulTerminated ? '\0' : '\n'
  }

  /** Prints a commit; returns whether it has. */
  print(commit: ListedCommit): boolean {
    this.#lines.nextCommit(commit)
    // With a filter, only commits with such changes are shown.
    if (this.#printChanges(commit)) return true
    if (this.#how.diffs.choosesCommits) return false
    this.#printCommit(commit)
    return true
  }

  /** Prints a commit and its changes; returns false if it has printed neither. */
  #printChanges(commit: ListedCommit): boolean {
    const { diffs, lines } = this.#how
    if (lines) return diffs.isShown && this.#printLines(commit, lines)
    const { compared } = commit
    const [first, ...others] = compared
    const isMerge = others.length > 0
    if (!diffs.isShown || (diffs.mergesOnly && !isMerge)) return false
    if (first === undefined) return diffs.showsRoot && this.#compare(commit, null)
    if (!isMerge || diffs.merges === 'first-parent') return this.#compare(commit, first)
    if (diffs.merges === 'off') return false
    if (diffs.merges !== 'separate') return this.#combine(commit, first)
    let hasPrinted = false
    for (const parent of compared) {
      if (this.#compare(commit, parent, parent)) hasPrinted = true
    }
    return hasPrinted
  }

  /** Returns what prints a commit before its changes. */
  #before(commit: ListedCommit, from?: string): () => string {
    const { diffs, pretty } = this.#how
    return () => {
      this.#printCommit(commit, from)
      if (pretty.name === 'oneline' || pretty.isEmpty || diffs.isSilent) return ''
      return diffs.stat && diffs.patch ? '---\n' : '\n'
    }
  }

  #compare(commit: ListedCommit, old: string | null, from?: string): boolean {
    const { diffs } = this.#how
    const before = this.#before(commit, from)
    const trees = [old, commit.content.oid] as const
    const { file } = diffs
    const next = file?.before(trees)
    if (next === null) return false
    const how = file ? { ...diffs, follow: true, pathspec: file.pathspec } : diffs
    if (file && next) file.pathspec = next
    const printer = new ChangePrinter(this.#opened, this.#widened(how), before, this.#lines)
    return printer.print(trees)
  }

  /** Prints what a commit did to the lines that are followed. */
  #printLines(commit: ListedCommit, lines: LineLog): boolean {
    const { diffs } = this.#how
    const files = lines.changesOf(commit.content.oid)
    const [first] = files
    if (!first) return false
    const { reader } = this.#opened
    const paths = files.flatMap(({ path, oldPath }) => [path, oldPath ?? path])
    const pathspec = reader.specs([...new Set(paths)].map((path) => `:(literal)${path}`))
    const reshape = ({ pathBytes }: FilePatch) => {
      const file = files.find(({ path }) => path === fromBytes(pathBytes))
      return file ? lines.patchOf(file, commit.content.oid, diffs) : ''
    }
    const trees = [first.parent, commit.content.oid] as const
    const how = { ...diffs, pathspec, reshape }
    return new ChangePrinter(this.#opened, how, this.#before(commit), this.#lines).print(trees)
  }

  #combine(commit: ListedCommit, first: string): boolean {
    const { diffs, pretty } = this.#how
    if (diffs.showTrees) throw fatal('packlens does not support -t with -c or --cc')
    this.#printCommit(commit)
    if (!pretty.isEmpty && !diffs.isSilent) this.#lines.add(this.#end)
    const trees = [first, commit.content.oid] as const
    const isCounted = printMergeTables(this.#opened, this.#widened(diffs), trees, this.#lines)
    const dense = diffs.merges === 'dense'
    if (diffs.raw || diffs.nameOnly || diffs.nameStatus || diffs.patch) {
      const lines = this.#lines
      printMerge(this.#opened, diffs, commit.content.oid, {
        before: '',
        separated: isCounted,
        dense,
        lines,
        ...(this.#how.choosesParents && { parents: commit.compared }),
      })
    }
    return true
  }

  /** A graph leaves less room for tables. */
  #widened(diffs: LogDiffs): LogDiffs {
    const { statWidths } = diffs
    if (statWidths.width > 0) return diffs
    const columns = columnsOfTerminal(this.#opened.io.env)
    return { ...diffs, statWidths: { ...statWidths, width: columns - this.#lines.width } }
  }

  #printCommit(commit: ListedCommit, from?: string): void {
    const { pretty, showsParents, showsChildren } = this.#how
    const lines = this.#lines
    if (this.#hasShown && !pretty.isTerminator) {
      if (this.#end === '\n' && !this.#lacksLineFeed) lines.addPadding()
      lines.addUnprefixed(this.#end)
    }
    this.#hasShown = true
    lines.beginCommit()
    const { content } = commit
    const { oid } = content
    if (pretty.isMail) lines.addHeader(`From ${oid} Mon Sep 17 00:00:00 2001\n`)
    else if (pretty.name !== 'user') {
      const ids = [oid]
      if (showsParents) ids.push(...commit.parents)
      if (showsChildren) ids.push(...commit.children)
      const sign = lines.hasGraph || commit.sign === '' ? '' : `${commit.sign} `
      const start = pretty.name === 'oneline' ? '' : 'commit '
      const origin = from === undefined ? '' : ` (from ${pretty.commitId(from)})`
      const source = this.#how.showsSource && commit.source !== '' ? `\t${commit.source}` : ''
      const line = start + sign + ids.map(pretty.commitId).join(' ') + origin
      const names = source + pretty.decorate(oid)
      lines.addHeader(this.heading(line) + names + (pretty.name === 'oneline' ? ' ' : '\n'))
      const { reflog } = commit
      if (reflog && pretty.name !== 'oneline') {
        lines.addUnprefixed(`Reflog: ${reflog.selector} (${reflog.who})\n`)
        lines.addUnprefixed(`Reflog message: ${reflog.message}\n`)
      }
    }
    const text = this.#textOf(commit)
    this.#lacksLineFeed = !text.endsWith('\n')
    lines.addMessage(text)
    if (pretty.isTerminator && !pretty.isEmpty) {
      if (!this.#lacksLineFeed) lines.addPadding()
      lines.addUnprefixed(this.#end)
    }
  }

  /** Begins something else than a commit. */
  separate(): void {
    if (this.#hasShown) this.#lines.addUnprefixed('\n')
    this.#hasShown = true
  }

  /** Returns the first line of an object in its color. */
  heading(line: string): string {
    const { palette } = this.#how.diffs
    return palette ? painted(palette.commit, line) : line
  }

  /** Returns the lines about the tagger of a tag. */
  tagger(line: string): string {
    return this.#how.pretty.person('Tagger', line)
  }

  #textOf({ content, mark, parents, reflog, source }: ListedCommit): string {
    const { pretty } = this.#how
    const { oid } = content
    const graph = this.#lines.width
    const isOneline = reflog && pretty.name === 'oneline'
    const text = isOneline
      ? `${reflog.selector}: ${reflog.message}`
      : pretty.show({ content, parents, mark: mark || '>', graph, source, reflog })
    const note = pretty.noteOf(oid)
    if (note === '') return text
    const lines = linesOfNote(note).split('\n').slice(0, -1)
    return `${text}\nNotes:\n${lines.map((line) => `    ${line}\n`).join('')}`
  }
}
