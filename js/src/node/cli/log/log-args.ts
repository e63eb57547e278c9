/** The options of `log` and `show` about changes: which are shown, and how those of merges. */

import { type Option, takeOption } from '../args/options.js'
import { fatal } from '../base/exit.js'
import { configuredWhen } from '../color/color-config.js'
import type { DiffArgs } from '../diff/diff-args.js'
import {
  clearFormats,
  diffOptions,
  hasFormat,
  newDiffArgs,
  refuseParentPaths,
} from '../diff/diff-args.js'
import { configureForUsers } from '../diff/diff-config.js'
import { type DiffFilter, parseDiffFilter } from '../diff/diff-filter.js'
import type { PrintedTrees } from '../diff/diff-printer.js'
import { soughtFilter } from '../diff/sought-objects.js'
import type { Opened } from '../opening/command.js'
import type { FollowedFile } from './followed-file.js'

/** How merges are compared with their parents. */
export type MergeDiffs = 'off' | 'separate' | 'first-parent' | 'combined' | 'dense'

const MERGE_DIFFS: Readonly<Record<string, MergeDiffs>> = {
  off: 'off',
  none: 'off',
  on: 'separate',
  m: 'separate',
  separate: 'separate',
  1: 'first-parent',
  'first-parent': 'first-parent',
  c: 'combined',
  combined: 'combined',
  cc: 'dense',
  'dense-combined': 'dense',
}

function mergesNamed(name: string): MergeDiffs | undefined {
  return Object.hasOwn(MERGE_DIFFS, name) ? MERGE_DIFFS[name] : undefined
}

/** Returns what the configuration says that `-m` means. @throws Exit for what is no value */
function usualMerges({ settings }: Opened): MergeDiffs {
  const name = settings.text('log.diffmerges')
  if (name === undefined) return 'separate'
  if (name === 'remerge' || name === 'r')
    throw fatal(`packlens does not support log.diffMerges=${name}`)
  const known = mergesNamed(name)
  if (known) return known
  throw fatal(`bad config variable 'log.diffmerges': ${name}`)
}

/** What is printed of changes. */
export interface LogDiffs extends PrintedTrees {
  merges: MergeDiffs
  /** Only merges are compared. */
  mergesOnly: boolean
  /** Only commits with printed changes are shown. */
  choosesCommits: boolean
  /** Whether anything is printed of changes. */
  isShown: boolean
  /** Whether commits without parents are compared with the empty tree. */
  showsRoot: boolean
  /** The file that is shown through its renames. */
  file: FollowedFile | null
}

/** What decides on changes beside their own options. */
export interface DiffDefaults {
  /** How merges are compared without an option. */
  readonly merges: MergeDiffs
  readonly pathspec: Uint8Array | undefined
  /** Whether patches are printed without another format. */
  readonly showsPatch: boolean
  /** Whether all changes of a path's commits are printed. */
  readonly isFull: boolean
  /** Whether a file is shown through its renames without an option. */
  readonly follows: boolean
  /** Returns the file that is followed. */
  readonly follow: (renames: DiffArgs['renames']) => FollowedFile
}

export class LogDiffArgs {
  readonly args: DiffArgs & { showTrees: boolean }
  readonly #options: readonly Option[]
  #merges: MergeDiffs | null = null
  /** What `-m` means. */
  readonly #usualMerges: MergeDiffs
  #impliesPatch = false
  #needsMerges = false
  #isSuppressed = false
  #filter: DiffFilter | null = null
  /** Whether a file is shown through its renames; `null` if no option says it. */
  #follows: boolean | null = null
  #showsRoot: boolean
  #comparesParents = false

  readonly #opened: Opened

  constructor(opened: Opened) {
    this.#opened = opened
    const args = { ...newDiffArgs(), showTrees: false }
    args.digits = 0
    args.colorWhen = configuredWhen(opened.settings)
    configureForUsers(args, opened)
    this.#showsRoot = opened.settings.flag('log.showroot') !== false
    this.args = args
    this.#usualMerges = usualMerges(opened)
    this.#options = [
      ...diffOptions(args),
      { short: 't', set: () => (args.showTrees = true) },
      { short: 'r', set: () => undefined },
      { long: 'follow', set: () => (this.#follows = true) },
      { long: 'no-follow', set: () => (this.#follows = false) },
      { long: 'combined-all-paths', set: () => (args.namesParents = true) },
      { long: 'root', set: () => (this.#showsRoot = true) },
    ]
  }

  /** Takes an option; returns how many arguments after it belong to it, `null` if none of these. */
  take([arg = '', ...rest]: readonly string[]): number | null {
    const [, filter] = /^--diff-filter=(.*)$/s.exec(arg) ?? []
    if (filter !== undefined) {
      this.#filter = parseDiffFilter(filter)
      return 0
    }
    if (arg === '--diff-filter' && rest[0] !== undefined) {
      this.take([`${arg}=${rest[0]}`])
      return 1
    }
    const [, merges] = /^--diff-merges=(.*)$/s.exec(arg) ?? []
    if (merges !== undefined) {
      const isUsual = merges === 'on' || merges === 'm'
      const known = isUsual ? this.#usualMerges : mergesNamed(merges)
      if (merges === 'remerge' || merges === 'r') throw fatal(`packlens does not support ${arg}`)
      if (!known) throw fatal(`invalid value for '--diff-merges': '${merges}'`)
      this.#setMerges(known, false, known !== 'off')
    } else if (arg === '--diff-merges') {
      const [value = ''] = rest
      this.take([`${arg}=${value}`])
      return 1
    } else if (arg === '-m') this.#setMerges(this.#usualMerges, false, false)
    else if (arg === '-c') this.#setMerges('combined', true, false)
    else if (arg === '--cc') this.#setMerges('dense', true, false)
    else if (arg === '--dd') this.#setMerges('first-parent', true, false)
    else if (arg === '--no-diff-merges') this.#setMerges('off', false, false)
    else if (arg === '-s' || arg === '--no-patch') {
      clearFormats(this.args)
      this.#isSuppressed = true
    } else {
      const [name, value] = arg.split(/=(.*)/s)
      // Here an empty number of digits is git's default, as for shown commits.
      const given = [value === undefined ? (name ?? '') : arg, ...rest]
      // git's log abbreviates no names: `--skip` begins `--skip-to`.
      return takeOption(this.#options, given, (long, whole) => long === whole)
    }
    return 0
  }

  /** Whether git lists the full history: it compares merges with single parents, or seeks objects. */
  get wantsFullHistory(): boolean {
    return this.#comparesParents || this.args.sought.length > 0
  }

  /** The contents of changes are searched for upper and lower case. */
  ignoreCase(): void {
    this.args.pickaxe = { ...this.args.pickaxe, pickaxeIgnoresCase: true }
  }

  #setMerges(merges: MergeDiffs, impliesPatch: boolean, needsMerges: boolean): void {
    this.#merges = merges
    // As in git, a later option about merges takes back what was asked of their paths.
    this.args.namesParents = false
    this.#comparesParents ||= merges === 'separate' || merges === 'first-parent'
    this.#impliesPatch = impliesPatch
    this.#needsMerges = needsMerges
  }

  /** Returns what is printed, if merges are otherwise compared as `merges` says. */
  diffs({ merges, pathspec, showsPatch, isFull, follows, follow }: DiffDefaults): LogDiffs {
    const file = (this.#follows ?? follows) ? follow(this.args.renames) : null
    const args = this.args
    // What `show` does without an option does not count, as in git.
    refuseParentPaths(args, this.#merges === 'combined' || this.#merges === 'dense')
    const isFirst = merges === 'first-parent'
    const given = hasFormat(args)
    const isPatch = !given && !this.#isSuppressed
    // For a filter, and for all changes of a path's commits, every commit is compared.
    const filter = soughtFilter(this.#opened, args, this.#filter)
    const chooses = [filter, file, args.pickaxe.pickaxe].some(Boolean)
    const isEach = isFull || chooses
    const implies = showsPatch || this.#impliesPatch || (isEach && this.#needsMerges)
    const implied = isPatch && implies
    const mergesOnly = isPatch && !implied && this.#needsMerges
    if (implied || mergesOnly) args.patch = true
    const isPrinted = given || implied || mergesOnly
    return {
      ...args,
      recursive: true,
      ...(pathspec && { pathspec }),
      // With --first-parent, merges are compared with this parent alone.
      merges: isFirst && this.#merges === 'separate' ? 'first-parent' : (this.#merges ?? merges),
      mergesOnly,
      filter,
      choosesCommits: chooses,
      isSilent: !isPrinted,
      showsRoot: this.#showsRoot,
      isShown: isPrinted || chooses || isFull,
      file,
    }
  }
}
