/** Follows lines of files through the commits that changed them: `log -L`. */
import type { RevListQuestion } from '../../base/protocol.js'
import { decodeChanges } from '../../objects/change.js'
import { fromBytes } from './bytes.js'
import type { Opened } from './command.js'
import { readCommit } from './commit-content.js'
import type { RenamesAsked } from './diff-args.js'
import { BlobChanges } from './line-changes.js'
import { before, joined, type Span, touches } from './line-spans.js'
import { realParents } from './parents.js'

/** Lines of a file. */
export interface FileSpans {
  readonly path: string
  readonly spans: readonly Span[]
}

/** A file of which a commit changed lines that are followed. */
export interface ChangedLines extends FileSpans {
  /** The file in the parent; `null` if it is new. */
  readonly oldPath: string | null
  /** The commit that it is compared with. */
  readonly parent: string | null
}

/** A commit of the walk. */
export interface LineCommit {
  readonly oid: string
  /** The parents that have some of the lines. */
  readonly parents: readonly string[]
  /** What the commit changed; of a merge nothing. `null` if it changed none of the lines. */
  readonly changed: readonly ChangedLines[] | null
}

/** How one commit has the files, compared with another. */
interface Compared {
  readonly changed: ChangedLines[]
  readonly old: FileSpans[]
}

/** A path was found that the walk does not know. */
class OtherPath {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }
}

export class LineHistory {
  readonly #opened: Opened
  readonly #blobs: BlobChanges
  readonly #question: RevListQuestion
  readonly #asked: RenamesAsked
  readonly #renames = new Map<string, ReadonlyMap<string, string>>()

  /** @param question lists the commits; the paths are those of the files */
  constructor(opened: Opened, question: RevListQuestion, asked: RenamesAsked) {
    this.#opened = opened
    this.#blobs = new BlobChanges(opened)
    this.#question = question
    this.#asked = asked
  }

  /** Returns the commits that are walked, none before its children. */
  of(files: readonly FileSpans[]): LineCommit[] {
    const paths = new Set(files.map(({ path }) => path))
    for (;;) {
      try {
        return this.#walk(files, [...paths])
      } catch (error) {
        // Where a file had another name, commits that changed that one count, too.
        if (!(error instanceof OtherPath)) throw error
        paths.add(error.path)
      }
    }
  }

  #walk(files: readonly FileSpans[], paths: readonly string[]): LineCommit[] {
    const known = new Set(paths)
    const waiting = new Map<string, Map<string, readonly Span[]>>()
    const found: LineCommit[] = []
    const give = (oid: string, given: readonly FileSpans[]) => {
      const some = given.filter(({ spans }) => spans.length > 0)
      if (some.length === 0) return
      const own = waiting.get(oid) ?? new Map<string, readonly Span[]>()
      waiting.set(oid, own)
      for (const { path, spans } of some)
        own.set(path, joined([...(own.get(path) ?? []), ...spans]))
    }
    let isFirst = true
    for (const [oid = '', ...parents] of this.#listed(paths)) {
      // The commits before it changed none of the files.
      if (isFirst) give(oid, files)
      isFirst = false
      const own = waiting.get(oid)
      waiting.delete(oid)
      if (!own) found.push({ oid, parents, changed: null })
      else found.push(this.#visit(oid, parents, filesOf(own), known, give))
    }
    return found
  }

  #listed(paths: readonly string[]): string[][] {
    const { reader } = this.#opened
    const elements = reader.specs(paths.map((path) => `:(literal)${path}`))
    let text = ''
    reader.pages({ ...this.#question, paths: elements }, (page) => {
      text += fromBytes(page)
    })
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' '))
  }

  #visit(
    oid: string,
    parents: readonly string[],
    files: readonly FileSpans[],
    known: ReadonlySet<string>,
    give: (oid: string, files: readonly FileSpans[]) => void,
  ): LineCommit {
    const content = readCommit(this.#opened.reader, oid, 'own')
    const all = realParents(this.#opened, content)
    const isMerge = all.length > 1
    const real = this.#question.firstParent ? all.slice(0, 1) : all
    const compare = (at: number) => {
      // Only where none was dropped, parents are at the places of the own ones.
      const isOwn = real.length === 1 || real.length === parents.length
      const other = isOwn ? real[at] : (parents[at] ?? real[at])
      return this.#compare(other ?? null, oid, files, known)
    }
    if (real.length < 2) {
      const { changed, old } = compare(0)
      if (parents[0] !== undefined) give(parents[0], old)
      if (changed.length === 0) return { oid, parents, changed: null }
      return { oid, parents, changed: isMerge ? [] : changed }
    }
    const candidates: (readonly FileSpans[])[] = []
    for (const [at, parent] of parents.entries()) {
      const { changed, old } = compare(at)
      if (changed.length === 0) {
        // This parent has all of the lines.
        give(parent, old)
        return { oid, parents: [parent], changed: null }
      }
      candidates.push(old)
    }
    for (const [at, parent] of parents.entries()) give(parent, candidates[at] ?? [])
    return { oid, parents, changed: [] }
  }

  #compare(
    parent: string | null,
    commit: string,
    files: readonly FileSpans[],
    known: ReadonlySet<string>,
  ): Compared {
    const { reader } = this.#opened
    const compared: Compared = { changed: [], old: [] }
    const blobAt = (oid: string, path: string) => reader.find(`${oid}:${path}`)
    for (const { path, spans } of files) {
      const oid = blobAt(commit, path)
      if (oid === null) continue
      let oldPath: string | null = path
      let oldOid = parent && blobAt(parent, path)
      if (parent !== null && oldOid === null) {
        oldPath = this.#origin(parent, commit, path)
        if (oldPath !== null && !known.has(oldPath)) throw new OtherPath(oldPath)
        oldOid = oldPath && blobAt(parent, oldPath)
      }
      if (oldOid === null) oldPath = null
      const changes = this.#blobs.between(oldOid, oid)
      if (changes.some((change) => spans.some((span) => touches(change, span)))) {
        compared.changed.push({ path, spans, oldPath, parent })
      }
      if (oldPath !== null) compared.old.push({ path: oldPath, spans: before(spans, changes) })
    }
    return compared
  }

  /** Returns the path that a file was renamed from; `null` if it is new. */
  #origin(parent: string, commit: string, path: string): string | null {
    const key = `${parent} ${commit}`
    const found = this.#renames.get(key) ?? this.#renamesIn(parent, commit)
    this.#renames.set(key, found)
    return found.get(path) ?? null
  }

  #renamesIn(parent: string, commit: string): Map<string, string> {
    const found = new Map<string, string>()
    const trees = { old: parent, new: commit, recursive: true, ...this.#asked } as const
    this.#opened.reader.pages({ kind: 'diff', ...trees }, (page) => {
      for (const change of decodeChanges(new Uint8Array(page), undefined)) {
        const { pathBytes, oldPathBytes, similarity } = change
        if (similarity !== null) found.set(fromBytes(pathBytes), fromBytes(oldPathBytes))
      }
    })
    return found
  }
}

function filesOf(own: ReadonlyMap<string, readonly Span[]>): FileSpans[] {
  const files = [...own].map(([path, spans]) => ({ path, spans }))
  return files.sort((one, other) => (one.path < other.path ? -1 : 1))
}
