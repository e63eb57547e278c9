/** Prints how two trees differ, in the formats of `git diff`. */
import type { FileChange, FilePatch, RenameLimit } from '../../../base/types.js'
import { decodeChanges } from '../../../objects/change.js'
import { decodePatches } from '../../../objects/patch.js'
import { fatal } from '../base/exit.js'
import type { Lines } from '../base/output.js'
import type { Opened } from '../opening/command.js'
import { fromBytes, textOfBytes, toBytes } from '../text/bytes.js'
import { ordered } from './change-order.js'
import { letterOf, modeText, shortenedId } from './change-text.js'
import { depthAsked } from './depth-args.js'
import type { DiffArgs } from './diff-args.js'
import { patchesAsked } from './diff-args.js'
import { spaceCheck } from './diff-check.js'
import type { StatRow } from './diff-stat.js'
import { shortStat, statTable } from './diff-stat.js'
import { compactSummaryOf, summaryOf } from './diff-summary.js'
import { type Damage, type DirStat, dirStat as dirStatText } from './dirstat.js'
import type { MovedLine } from './moved-lines.js'
import { withMoved } from './moved-patches.js'
import { patchText } from './patch-text.js'
import { prefixOf, shownPath } from './relative-args.js'
import { renamedPath } from './renamed-path.js'

/** What is printed, and which entries of trees. */
export interface PrintedTrees extends DiffArgs {
  recursive: boolean
  showTrees: boolean
  /** Changes are only looked for. */
  isSilent?: boolean
  /** Returns the text of a patch in place of its own. */
  reshape?: (patch: FilePatch) => string
}

/** Revisions of the two trees; `null` is the empty one. */
export type Trees = readonly [old: string | null, now: string | null]

/** What a notice says of renames that were not looked for. */
const LIMITED = 'exhaustive rename detection was skipped'
const PARTLY_LIMITED = 'only found copies from modified paths'

export class ChangePrinter {
  readonly #opened: Opened
  readonly #args: PrintedTrees
  readonly #lines: Pick<Lines, 'add'>
  readonly #end: string
  /** Returns what is printed before the first change. */
  #before: (() => string) | null
  /** The paths to print; all without a filter. */
  #chosen: Set<string> | null = null
  #limit: RenameLimit | undefined
  readonly #limited = (limit: RenameLimit) => {
    this.#limit = limit
  }

  constructor(opened: Opened, args: PrintedTrees, before: () => string, lines: Pick<Lines, 'add'>) {
    this.#opened = opened
    this.#args = args
    this.#lines = lines
    this.#end = args.nulTerminated ? '\0' : '\n'
    this.#before = before
  }

  /** Prints the changes; returns whether there are any. */
  print(trees: Trees): boolean {
    const { follow, reshape, reverse } = this.#args
    if (follow && reverse) throw fatal('packlens does not support --follow with -R')
    const followed = follow ? '--follow' : '-L'
    if ((follow || reshape) && prefixOf(this.#args) !== '') {
      throw fatal(`packlens does not support ${followed} with --relative`)
    }
    if ((follow || reshape) && depthAsked(this.#args) !== undefined) {
      throw fatal(`packlens does not support ${followed} with --max-depth`)
    }
    this.#choose(trees)
    if (this.#args.isSilent) {
      this.#list(trees, () => this.#begin())
      return this.#before === null
    }
    const { raw, patch, numstat, stat, shortstat, summary, nameOnly, nameStatus } = this.#args
    const { dirStat, check } = this.#args
    const isCounted = numstat || stat || shortstat || dirStat?.unit === 'lines'
    const others = patch || isCounted || summary || dirStat || check
    const isListed = raw || nameOnly || nameStatus || !others
    let sums = ''
    if (isListed || summary) {
      this.#list(trees, (change) => {
        this.#begin()
        if (isListed) this.#add(this.#lineOf(change))
        const isFollowed = change.similarity !== null && this.#args.reshape !== undefined
        if (summary && !isFollowed)
          sums += summaryOf(
            change,
            this.#quoted(fromBytes(change.pathBytes)),
            this.#renamedFromTop(change),
          )
      })
    }
    if (check) this.#check(trees)
    if (isCounted) this.#count(trees)
    if (dirStat && dirStat.unit !== 'lines') this.#addDirStat(trees, dirStat)
    this.#add(sums)
    if (patch) this.#printPatches(trees, isListed || isCounted || sums !== '')
    // A tree that was looked for may have no patch and no lines to count.
    if (this.#args.sought.length > 0 && this.#chosen?.size) this.#begin()
    this.#warn()
    return this.#before === null
  }

  #printPatches(trees: Trees, isSeparated: boolean): void {
    const { moved, palette, reshape, words } = this.#args
    let between = isSeparated ? this.#end : ''
    const print = (patch: FilePatch, lines?: readonly MovedLine[]) => {
      this.#begin()
      // git separates patches also if none of them has a line.
      this.#add(between + patchText(this.#opened, this.#args, patch, reshape?.(patch), lines))
      between = ''
    }
    const isPlain = !palette || reshape !== undefined || (words.wordDiff ?? 'none') !== 'none'
    if (moved.mode === null || isPlain) {
      this.#each(trees, 'patch', (patch) => print(patch))
      return
    }
    const patches: FilePatch[] = []
    this.#each(trees, 'patch', (patch) => patches.push(patch))
    for (const [patch, lines] of withMoved(patches, moved)) print(patch, lines)
  }

  /** Finds the paths whose kind of change is printed. */
  #choose(trees: Trees): void {
    const { filter } = this.#args
    if (!filter) return
    const chosen = new Set<string>()
    this.#list(trees, (change) => {
      if (filter(change)) chosen.add(fromBytes(change.pathBytes))
    })
    this.#chosen = chosen
  }

  #isChosen({ pathBytes }: FileChange): boolean {
    return this.#chosen?.has(fromBytes(pathBytes)) ?? true
  }

  #begin(): void {
    if (!this.#before) return
    this.#lines.add(this.#before())
    this.#before = null
  }

  /** Says as git does which renames were not looked for. */
  #warn(): void {
    if (!this.#limit) return
    const what = this.#limit.isPartial ? PARTLY_LIMITED : LIMITED
    const advice = 'you may want to set your diff.renameLimit variable to at least'
    this.#opened.io.writeError(`warning: ${what} due to too many files.
warning: ${advice} ${this.#limit.needed} and retry the command.
`)
  }

  #add(text: string): void {
    if (text !== '') this.#lines.add(text)
  }

  #list(trees: Trees, use: (change: FileChange) => void): void {
    const [old, now] = this.#args.reverse ? [trees[1], trees[0]] : trees
    const { raw, nameOnly, nameStatus, showTrees, renames, pickaxe } = this.#args
    const { pathspec, follow } = this.#args
    // Only lists of changes may have subtrees.
    const { patch, numstat, stat, shortstat, summary, dirStat, check } = this.#args
    const isPlain = raw || nameOnly || nameStatus
    const isCounted = numstat || stat || shortstat || dirStat !== null
    const isDeep = patch || isCounted || check !== null || (summary && !isPlain)
    // Files are chosen by their contents, not trees.
    const { maxDepth, sought } = this.#args
    const isChosen =
      isDeep || pickaxe.pickaxe !== undefined || sought.length > 0 || maxDepth !== null
    const recursive = this.#args.recursive || isChosen
    const asked = { ...specsOf([old, now]), recursive, trees: showTrees }
    const attributes = this.#opened.attributes.tree
    const relative = toBytes(prefixOf(this.#args))
    const limits = { pathspec, follow, relative, maxDepth: depthAsked(this.#args) }
    const chosen = { ...renames, ...pickaxe, ...limits, attributes }
    const question = { kind: 'diff', ...asked, ...chosen } as const
    ordered(this.#args.order, use, (found) => {
      this.#opened.reader.pages(question, (page) => {
        for (const change of decodeChanges(new Uint8Array(page), this.#limited)) {
          if (this.#isChosen(change)) found(change)
        }
      })
    })
  }

  #lineOf(change: FileChange): string {
    const { nameOnly, nameStatus, nulTerminated } = this.#args
    const path = this.#path(change.pathBytes)
    if (nameOnly) return path + this.#end
    const separator = nulTerminated ? '\0' : '\t'
    const isMoved = change.similarity !== null
    const old = this.#path(change.oldPathBytes)
    // Of lines that are followed, git names the file in which they were, and calls it modified. Of
    // two files that were named, it prints the first path.
    const isFollowed = isMoved && this.#args.reshape !== undefined
    const paths = isMoved && !isFollowed ? old + separator + path : old
    const letter = isFollowed ? 'M' : scoredLetter(change)
    const line = letter + separator + paths + this.#end
    if (nameStatus) return line
    const modes = [change.oldMode, change.newMode].map(modeText)
    const oids = [change.oldOid, change.newOid].map((oid) => this.#shorten(oid))
    return `:${modes.join(' ')} ${oids.join(' ')} ${line}`
  }

  /** Returns a path as lists of changes have it. */
  #path(bytes: Uint8Array): string {
    return this.#quoted(shownPath(this.#args, bytes))
  }

  #quoted(path: string): string {
    return this.#args.nulTerminated ? path : this.#opened.quote(path)
  }

  #shorten(oid: string | null): string {
    const { reader } = this.#opened
    const { digits } = this.#args
    const whole = oid ?? '0'.repeat(reader.hexLength)
    return digits === null ? whole : shortenedId(this.#opened, whole, digits)
  }

  #each(
    [old, now]: Trees,
    of: 'patch' | 'count' | 'check' | 'bytes',
    use: (patch: FilePatch) => void,
  ): void {
    const attributes = this.#opened.attributes.tree
    const joinTypes = of !== 'patch'
    const countsBytes = of === 'bytes'
    // Checks are about all that is added.
    const args = of === 'check' ? uncheckedArgs(this.#args) : this.#args
    const asked = { ...patchesAsked(args), joinTypes, attributes, countsBytes }
    // Tables count what a plain patch has.
    const plain = { functionContext: false, irreversibleDelete: false, binary: false }
    const printed = joinTypes ? { ...asked, ...plain, wordDiff: 'none' as const } : asked
    const question = { ...printed, ...specsOf([old, now]) }
    const find = (page: Uint8Array, found: (patch: FilePatch) => void) => {
      for (const patch of decodePatches(new Uint8Array(page), this.#limited)) {
        if (patch.kind === 'too-large') {
          const path = textOfBytes(fromBytes(patch.pathBytes))
          throw fatal(`'${path}' takes more memory than allowed: set PACKLENS_MEMORY`)
        }
        if (this.#isChosen(patch)) found(patch)
      }
    }
    ordered(this.#args.order, use, (found) => {
      this.#opened.reader.pages(question, (page) => find(page, found))
    })
  }

  #count(trees: Trees): void {
    const { numstat, stat, shortstat, statWidths, statCount, dirStat } = this.#args
    const rows: StatRow[] = []
    this.#each(trees, 'count', (patch) => {
      this.#begin()
      // Of files whose differences do not count, git prints nothing.
      if (patch.bytes.byteLength === 0) return
      if (stat || shortstat || dirStat) rows.push(this.#rowOf(patch))
      if (!numstat) return
      const numbers = patch.kind === 'binary' ? ['-', '-'] : [patch.added, patch.removed]
      this.#add(`${numbers.join('\t')}\t${this.#paths(patch)}${this.#end}`)
    })
    if (rows.length === 0) return
    if (stat) this.#add(statTable(rows, statWidths, statCount, this.#args.palette))
    if (shortstat) this.#add(shortStat(rows))
    if (dirStat?.unit === 'lines') this.#add(dirStatText(rows.map(linesOf), dirStat))
  }

  #addDirStat(trees: Trees, stat: DirStat): void {
    const damages: Damage[] = []
    const add = (change: FileChange, amount: number) => {
      const isSame = change.oldOid !== null && change.oldOid === change.newOid
      damages.push({ path: fromBytes(change.pathBytes), amount: isSame ? 0 : Math.max(amount, 1) })
    }
    if (stat.unit === 'files') this.#list(trees, (change) => add(change, 1))
    else this.#each(trees, 'bytes', (patch) => add(patch, patch.added + patch.removed))
    if (damages.length === 0) return
    this.#begin()
    this.#add(dirStatText(damages, stat))
  }

  #check(trees: Trees): void {
    const { check, palette } = this.#args
    this.#each(trees, 'check', (patch) => {
      this.#begin()
      const path = shownPath(this.#args, patch.pathBytes)
      const text = spaceCheck(this.#opened.reader, patch, path, palette)
      if (check && text !== '') check.hasErrors = true
      this.#add(text)
    })
  }

  #rowOf(patch: FilePatch): StatRow {
    const { added, removed, kind, oldOid, newOid, pathBytes } = patch
    const path = shownPath(this.#args, pathBytes)
    const name = this.#renamed(patch) + (this.#args.compactSummary ? compactSummaryOf(patch) : '')
    if (kind !== 'binary') return { name, path, added, removed, isBinary: false }
    if (oldOid === newOid) return { name, path, added: 0, removed: 0, isBinary: true }
    const size = (oid: string | null) => (oid && this.#opened.reader.info(oid)?.size) || 0
    return { name, path, added: size(newOid), removed: size(oldOid), isBinary: true }
  }

  #paths(change: FileChange): string {
    if (!this.#args.nulTerminated) return this.#renamed(change)
    const [old, path] = this.#shown(change)
    return change.similarity === null ? path : `\0${old}\0${path}`
  }

  /** Returns the path of a change, or both, as tables have them. */
  #renamed(change: FileChange): string {
    return this.#renamedFrom(this.#shown(change), change)
  }

  /** As {@link ChangePrinter.#renamed}, from the top: summaries do not look at `--relative`. */
  #renamedFromTop(change: FileChange): string {
    return this.#renamedFrom([fromBytes(change.oldPathBytes), fromBytes(change.pathBytes)], change)
  }

  #renamedFrom(
    [old, path]: readonly [string, string],
    { similarity }: Pick<FileChange, 'similarity'>,
  ): string {
    const { quote } = this.#opened
    return similarity === null && old === path ? quote(path) : renamedPath(old, path, quote)
  }

  #shown({ oldPathBytes, pathBytes }: FileChange): [old: string, now: string] {
    return [shownPath(this.#args, oldPathBytes), shownPath(this.#args, pathBytes)]
  }
}

/** Returns the revisions as the core takes them. */
function specsOf(trees: Trees): { old: Uint8Array | undefined; new: Uint8Array | undefined } {
  const [old, now] = trees.map((tree) => (tree === null ? undefined : toBytes(tree)))
  return { old, new: now }
}

/** Returns the options of a check, which neither white space nor other options make smaller. */
function uncheckedArgs(args: PrintedTrees): PrintedTrees {
  return { ...args, spaces: new Set(), ignoredLines: [], text: {} }
}

/** Returns the lines that changed in a file; of a binary one, parts of 64 bytes. */
function linesOf({ path, added, removed, isBinary }: StatRow): Damage {
  const sum = added + removed
  return { path, amount: isBinary ? Math.ceil(sum / 64) : sum }
}

/** Returns the letter of a change, and its score. */
function scoredLetter({ status, similarity, dissimilarity }: FileChange): string {
  const score = similarity ?? dissimilarity
  return letterOf(status) + (score === null ? '' : String(score).padStart(3, '0'))
}
