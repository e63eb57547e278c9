/** `rev-list --bisect` and its like: the commits that halve a history. */

import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { Decorations } from '../pretty/decorations.js'
import { type BisectedCommit, Bisection, stepsLeft, type Weighed } from './bisection.js'
import { type CommitList, NO_MARKS } from './commit-list.js'
import type { ListedCommit } from './log-printer.js'

export class BisectArgs {
  /** Whether any of the options was given. */
  isWanted = false
  #listsAll = false
  #printsVariables = false

  /** Takes an option; returns 0, or `null` if it is none of these, or also selects revisions. */
  take(arg: string): number | null {
    const isOwn = arg === '--bisect-all' || arg === '--bisect-vars'
    if (!isOwn && arg !== '--bisect') return null
    this.isWanted = true
    this.#listsAll ||= arg === '--bisect-all'
    this.#printsVariables ||= arg === '--bisect-vars'
    return isOwn ? 0 : null
  }

  /** Finds the commits; prints them with `print`, and the exit code's reason with `write`. */
  run(
    opened: Opened,
    commits: CommitList,
    print: (each: EachCommit, names: (oid: string) => string) => void,
  ): number {
    const bisection = new Bisection(historyOf(opened, commits))
    const all = this.#listsAll ? bisection.sorted() : []
    const best = this.#listsAll ? (all[0] ?? bisection.last()) : bisection.best()
    const found = this.#listsAll ? all : best?.counts ? [best] : []
    const distances = new Map(found.map((one) => [one.oid, bisection.distance(one)]))
    const names = this.#listsAll ? namesOf(opened, distances) : () => ''
    const isPrinted = this.#listsAll || !this.#printsVariables
    if (isPrinted) print((use) => eachShown(commits, found, use), names)
    if (!this.#printsVariables) return 0
    if (!best) return 1
    const text = variables(best, bisection.all)
    opened.io.write(Buffer.from(isPrinted ? `------\n${text}` : text))
    return 0
  }
}

/** Passes commits to a function. */
export type EachCommit = (use: (commit: ListedCommit) => unknown) => void

/** Passes the found commits to `use`: those that options about numbers select. */
function eachShown(
  commits: CommitList,
  found: readonly Weighed[],
  use: (commit: ListedCommit) => unknown,
): void {
  const { limit = found.length, skip = 0, reverse = false } = commits.options.flags
  const selected = found.slice(skip, skip + limit)
  for (const { oid } of reverse ? selected.reverse() : selected) {
    use({ ...commits.single(oid), ...NO_MARKS })
  }
}

/** Lists the history that is halved. */
function historyOf({ reader }: Opened, commits: CommitList): BisectedCommit[] {
  const { options, revisions } = commits
  refuse(commits)
  const { specs, pathspec: paths } = revisions
  const question = {
    ...options.question(),
    ...{ limit: undefined, skip: undefined, reverse: false, count: false },
    specs: reader.specs(specs),
    paths,
  }
  const list = (changed: Partial<typeof question>) => {
    const found: string[] = []
    reader.pages({ ...question, lines: [], ...changed }, (page) => {
      found.push(...Buffer.from(page).toString('latin1').split('\n').slice(0, -1))
    })
    return found.map((line) => line.trimEnd().split(' '))
  }
  const counting = paths ? new Set(list({}).map(([oid]) => oid)) : null
  // Of a path's history git halves what it walks, which ends at commits that are not listed.
  const { simplify = [] } = question
  const walked = paths ? { simplify: [...simplify, 'sparse' as const] } : {}
  const rows = list({ ...walked, lines: ['parents', 'spaced'] })
  const numbers = new Map(rows.map(([oid = ''], number) => [oid, number]))
  const isFirst = options.flags.firstParent === true
  return rows.map(([oid = '', ...all]) => {
    const followed = isFirst ? all.slice(0, 1) : all
    const parents = followed.flatMap((parent) => numbers.get(parent) ?? [])
    return { oid, parents, counts: counting?.has(oid) ?? true }
  })
}

function refuse({ options, hasGraph }: CommitList): void {
  const { flags, lines, matching } = options
  const { patterns = [] } = options.question()
  const { minParents, maxParents, listedSince, until, objects } = flags
  const limits = [minParents, maxParents, listedSince, until].some((value) => value !== undefined)
  const others = lines.size > 0 || matching.size > 0 || patterns.length > 0 || hasGraph
  if (!limits && !others && !objects) return
  throw fatal('packlens rev-list does not support --bisect with such an option')
}

/** Returns what is printed after ids: their refs and distances. */
function namesOf(opened: Opened, distances: ReadonlyMap<string, number>): (oid: string) => string {
  const refs = new Decorations(opened, false, () => true)
  return (oid) => {
    const names = refs.plain(oid, null)
    return ` (${names === '' ? '' : `${names}, `}dist=${distances.get(oid)})`
  }
}

function variables({ oid, reached }: Weighed, all: number): string {
  const left = Math.max(reached, all - reached)
  const lines = [
    ...[`rev='${oid}'`, `nr=${left - 1}`, `good=${all - reached - 1}`, `bad=${reached - 1}`],
    ...[`all=${all}`, `steps=${stepsLeft(all)}`],
  ]
  return lines.map((line) => `bisect_${line}\n`).join('')
}
