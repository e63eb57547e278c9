/** The commits of `log -L`, as commands show them. */

import { decodePatches } from '../../../objects/patch.js'
import { fatal } from '../base/exit.js'
import { type DiffArgs, patchesAsked } from '../diff/diff-args.js'
import type { CommitList } from '../log/commit-list.js'
import type { ListedCommit } from '../log/log-printer.js'
import type { Opened } from '../opening/command.js'
import { readCommit } from '../pretty/commit-content.js'
import { realParents } from '../repository/parents.js'
import { fromBytes } from '../text/bytes.js'
import { namedLines, onlyTip } from './line-args.js'
import { type ChangedLines, type FileSpans, type LineCommit, LineHistory } from './line-history.js'
import { cutPatch, type LineHunk } from './line-hunks.js'
import { hunkOfWords } from './line-words.js'

/** How many lines are around a change by default. */
const CONTEXT = 3

/** Options of histories that `log -L` of packlens lacks. */
const REFUSED = [
  'children',
  'boundary',
  'leftRight',
  'leftOnly',
  'rightOnly',
  'cherryMark',
] as const

export class LineLog {
  readonly #opened: Opened
  readonly #commits: CommitList
  readonly #history: LineHistory
  readonly #files: readonly FileSpans[]
  /** The name of the commit that history begins with, if it is shown. */
  readonly #source: string
  /** The commits that were visited. */
  readonly #byId = new Map<string, LineCommit>()
  /** Returns whether options select a commit, apart from its changes. */
  readonly isListed: (oid: string) => boolean

  constructor(opened: Opened, commits: CommitList, args: readonly string[], diffs: DiffArgs) {
    this.#opened = opened
    this.#commits = commits
    const { options, revisions } = commits
    if (revisions.pathspec) throw fatal('-L<range>:<file> cannot be used with pathspec')
    const isSimplified = [...options.simplify].some((name) => name !== 'fullHistory')
    const refused = REFUSED.some((name) => options.lines.has(name)) || isSimplified
    if (refused) throw fatal('packlens log does not support -L with such an option')
    const tip = onlyTip(opened, revisions.tips)
    this.#source = commits.showsSource || commits.pretty.showsSource ? tip.name : ''
    this.#files = namedLines(opened, tip.oid, args)
    const { order, firstParent } = options.flags
    const isSorted = order === 'date' || order === 'author-date'
    const question = {
      kind: 'revList',
      specs: opened.reader.specs(revisions.specs),
      order: isSorted ? order : 'topo',
      firstParent,
      lines: ['parents'],
    } as const
    this.#history = new LineHistory(opened, question, diffs)
    this.isListed = commits.listed()
  }

  /** Returns what a commit changed of the lines; of a merge nothing. */
  changesOf(oid: string): readonly ChangedLines[] {
    return this.#byId.get(oid)?.changed ?? []
  }

  /** Takes the lines for new ones of a commit, as git does without a walk; not those of a merge. */
  takeWhole({ content: { oid }, parents }: ListedCommit): void {
    const isMerge = parents.length > 1
    const changed = this.#files.map((file) => ({ ...file, oldPath: null, parent: null }))
    this.#byId.set(oid, { oid, parents: [], changed: isMerge ? [] : changed })
  }

  /** Returns the patch of a file, cut down to its lines. */
  patchOf({ path, oldPath, spans, parent }: ChangedLines, commit: string, args: DiffArgs): string {
    const { attributes, reader } = this.#opened
    const longest = Math.max(...spans.map(({ start, end }) => end - start))
    const context = Math.max(args.text.context ?? CONTEXT, longest)
    const pathspec = reader.specs([path, oldPath ?? path].map((one) => `:(literal)${one}`))
    // The core would print the words of whole files.
    const plain = patchesAsked({ ...args, words: {}, pathspec })
    const asked = { ...plain, context, attributes: attributes.tree }
    const question = { ...asked, functionContext: false, old: parent ?? undefined, new: commit }
    const { wordDiff = 'none' } = args.words
    const words = { ...args.words, hasColors: args.palette !== null }
    const ofWords = (hunk: LineHunk) => hunkOfWords(reader, hunk, words)
    let text = ''
    reader.pages(question, (page) => {
      for (const patch of decodePatches(new Uint8Array(page), undefined)) {
        if (fromBytes(patch.pathBytes) !== path) continue
        const isOfWords = wordDiff !== 'none' && patch.dissimilarity === null
        text += cutPatch(fromBytes(patch.bytes), spans, isOfWords ? ofWords : undefined)
      }
    })
    return text
  }

  /** Passes the commits to `use`: as they are found, unless all decide on their parents or order. */
  each(use: (commit: ListedCommit) => unknown): void {
    const rewrites = this.#commits.rewrites()
    const { limit = Number.POSITIVE_INFINITY, skip = 0, reverse } = this.#commits.options.flags
    const waits = rewrites || reverse === true
    const chosen: LineCommit[] = []
    let count = 0
    if (limit === 0) return
    this.#history.each(this.#files, rewrites, (commit) => {
      this.#byId.set(commit.oid, commit)
      if (!commit.changed || !this.isListed(commit.oid)) return true
      if (++count <= skip || count > skip + limit) return true
      if (waits) chosen.push(commit)
      else use(this.#show(commit, false))
      // Parents may be commits that are not shown.
      return rewrites || count < skip + limit
    })
    if (reverse) chosen.reverse()
    for (const commit of chosen) use(this.#show(commit, rewrites))
  }

  #show({ oid, parents }: LineCommit, rewrites: boolean): ListedCommit {
    const content = readCommit(this.#opened.reader, oid, this.#commits.pretty.encoding)
    const others = { mark: '', sign: '', children: [], source: this.#source }
    const real = realParents(this.#opened, content)
    const shown = rewrites ? this.#rewritten(parents) : real
    return { content, ...others, parents: shown, compared: real }
  }

  /** Replaces parents by the nearest commits that changed the lines. */
  #rewritten(parents: readonly string[]): string[] {
    const found = new Set<string>()
    for (const parent of parents) {
      let next: string | undefined = parent
      for (;;) {
        const commit: LineCommit | undefined = next === undefined ? undefined : this.#byId.get(next)
        if (!commit || commit.changed) break
        next = commit.parents[0]
      }
      if (next !== undefined) found.add(next)
    }
    return [...found]
  }
}
