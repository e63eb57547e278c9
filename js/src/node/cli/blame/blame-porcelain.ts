/** The formats of `blame` that programs read: `--porcelain` and its like. */

import type { Lines } from '../base/output.js'
import type { Opened } from '../opening/command.js'
import type { BlamedCommit, Commits, Person } from './blame-commits.js'
import type { Marks } from './blame-marks.js'
import type { BlamedRange } from './blame-ranges.js'

export class Porcelain {
  readonly #lines: Lines
  readonly #commits: Commits
  readonly #marks: Marks
  /** The commits that were described. */
  readonly #shown = new Set<string>()

  readonly #quote: Opened['quote']

  constructor(lines: Lines, commits: Commits, marks: Marks, quote: Opened['quote']) {
    this.#quote = quote
    this.#lines = lines
    this.#commits = commits
    this.#marks = marks
  }

  /** Prints a range without its lines. */
  addFound(range: BlamedRange): void {
    this.#lines.add(headOf(range))
    this.#describe(range)
    this.#lines.add(fileOf(range, this.#quote))
  }

  /**
   * Prints ranges with their lines. With `each`, every line has all the facts; otherwise the
   * first of a commit has, and the file is named again for commits that have `several` paths.
   */
  addAll(ranges: readonly BlamedRange[], text: readonly string[], each: boolean): void {
    const several = withSeveralPaths(ranges)
    for (const range of ranges) {
      const marks = this.#marks(range).map(({ word }) => `${word}\n`)
      for (let at = 0; at < range.count; at++) {
        if (each) this.#shown.delete(range.commit)
        this.#lines.add(at === 0 ? headOf(range) : lineOf(range, at))
        const isNew = (at === 0 || each) && this.#describe(range)
        if (isNew || (at === 0 && several.has(range.commit)))
          this.#lines.add(fileOf(range, this.#quote))
        this.#lines.add(`${marks.join('')}\t${text[range.start - 1 + at] ?? ''}\n`)
      }
    }
  }

  /** Prints the facts about a commit, unless they are known; returns whether they were not. */
  #describe({ commit, isBoundary }: BlamedRange): boolean {
    if (this.#shown.has(commit)) return false
    this.#shown.add(commit)
    this.#lines.add(factsOf(this.#commits(commit)) + (isBoundary ? 'boundary\n' : ''))
    return true
  }
}

/** Returns the commits that have lines of several files. */
function withSeveralPaths(ranges: readonly BlamedRange[]): Set<string> {
  const paths = new Map<string, string>()
  const found = new Set<string>()
  for (const { commit, path } of ranges) {
    if ((paths.get(commit) ?? path) !== path) found.add(commit)
    paths.set(commit, path)
  }
  return found
}

function headOf({ commit, oldStart, start, count }: BlamedRange): string {
  return `${commit} ${oldStart} ${start} ${count}\n`
}

function lineOf({ commit, oldStart, start }: BlamedRange, at: number): string {
  return `${commit} ${oldStart + at} ${start + at}\n`
}

function fileOf({ path, previous }: BlamedRange, quote: Opened['quote']): string {
  const before = previous ? `previous ${previous.commit} ${quote(previous.path)}\n` : ''
  return `${before}filename ${quote(path)}\n`
}

function factsOf({ author, committer, summary }: BlamedCommit): string {
  return `${personOf('author', author)}${personOf('committer', committer)}summary ${summary}\n`
}

function personOf(role: string, { name, mail, seconds, zone }: Person): string {
  const when = `${role}-time ${seconds}\n${role}-tz ${zone}\n`
  return `${role} ${name}\n${role}-mail ${mail}\n${when}`
}
