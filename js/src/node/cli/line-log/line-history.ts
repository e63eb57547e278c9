/** Follows lines of files through the commits that changed them: `log -L`. */
import type { RevListQuestion } from '../../../base/protocol.js'
import { decodeChanges } from '../../../objects/change.js'
import { fatal } from '../base/exit.js'
import type { DiffArgs } from '../diff/diff-args.js'
import type { Opened } from '../opening/command.js'
import { walkSlowly } from '../repository/walk.js'
import { fromBytes } from '../text/bytes.js'
import { BlobChanges } from './line-changes.js'
import { before, joined, type Span, touches } from './line-spans.js'

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
  readonly old: FollowedFile[]
}

/** Lines of a file, and its blob if it is known. */
interface FollowedFile extends FileSpans {
  readonly oid: string | null | undefined
}

export class LineHistory {
  readonly #opened: Opened
  readonly #blobs: BlobChanges
  readonly #question: RevListQuestion
  readonly #how: Pick<DiffArgs, 'renames' | 'reverse'>
  readonly #renames = new Map<string, ReadonlyMap<string, string>>()
  /** The lines that are followed in commits before which none was visited. */
  readonly #waiting = new Map<string, Map<string, FollowedFile>>()

  /** @param question lists all commits from one, each with its own parents, none before its children */
  constructor(
    opened: Opened,
    question: RevListQuestion,
    how: Pick<DiffArgs, 'renames' | 'reverse'>,
  ) {
    this.#opened = opened
    this.#blobs = new BlobChanges(opened)
    this.#question = question
    this.#how = how
  }

  /**
   * Passes each commit that has some of the lines to `use`, which ends the walk by false.
   * @param others whether all other commits are passed, too
   */
  each(files: readonly FileSpans[], others: boolean, use: (commit: LineCommit) => boolean): void {
    let isFirst = true
    walkSlowly(this.#opened, this.#question, (page) => {
      for (const line of fromBytes(page).split('\n').slice(0, -1)) {
        const [oid = '', ...parents] = line.split(' ')
        if (isFirst)
          this.#give(
            oid,
            files.map((file) => ({ ...file, oid: undefined })),
          )
        isFirst = false
        const own = this.#waiting.get(oid)
        if (!own) {
          if (others) use({ oid, parents, changed: null })
          continue
        }
        this.#waiting.delete(oid)
        if (!use(this.#visit(oid, parents, filesOf(own)))) return false
        if (!others && this.#waiting.size === 0) return false
      }
      return true
    })
  }

  #give(oid: string, given: readonly FollowedFile[]): void {
    const some = given.filter(({ spans }) => spans.length > 0)
    if (some.length === 0) return
    const own = this.#waiting.get(oid) ?? new Map<string, FollowedFile>()
    this.#waiting.set(oid, own)
    for (const file of some) {
      const spans = joined([...(own.get(file.path)?.spans ?? []), ...file.spans])
      own.set(file.path, { ...file, spans })
    }
  }

  #visit(oid: string, parents: readonly string[], files: readonly FollowedFile[]): LineCommit {
    const followed = this.#question.firstParent ? parents.slice(0, 1) : parents
    const [first = null] = followed
    if (followed.length < 2) {
      const { changed, old } = this.#compare(first, oid, files)
      if (first !== null) this.#give(first, old)
      if (changed.length === 0) return { oid, parents, changed: null }
      return { oid, parents, changed: parents.length > 1 ? [] : changed }
    }
    const candidates: (readonly FollowedFile[])[] = []
    for (const parent of followed) {
      const { changed, old } = this.#compare(parent, oid, files)
      if (changed.length === 0) {
        // This parent has all of the lines.
        this.#give(parent, old)
        return { oid, parents: [parent], changed: null }
      }
      candidates.push(old)
    }
    for (const [at, parent] of followed.entries()) this.#give(parent, candidates[at] ?? [])
    return { oid, parents, changed: [] }
  }

  #compare(parent: string | null, commit: string, files: readonly FollowedFile[]): Compared {
    const { reader } = this.#opened
    const compared: Compared = { changed: [], old: [] }
    const blobAt = (oid: string, path: string) => reader.find(`${oid}:${path}`)
    for (const { path, spans, oid = blobAt(commit, path) } of files) {
      if (oid === null) continue
      let oldPath: string | null = path
      let oldOid = parent && blobAt(parent, path)
      if (parent !== null && oldOid === null) {
        oldPath = this.#origin(parent, commit, path)
        oldOid = oldPath && blobAt(parent, oldPath)
      }
      if (oldOid === null) oldPath = null
      const { reverse } = this.#how
      // git fails, too: reversed, the change leaves no file whose lines it could follow.
      if (reverse && oldOid === null) {
        throw fatal(
          'packlens log does not support -L with -R for a file that is new or was renamed',
        )
      }
      // As in git, the lines of reversed changes are those that the parent has.
      const changes =
        reverse && oldOid !== null
          ? this.#blobs.between(oid, oldOid)
          : this.#blobs.between(oldOid, oid)
      if (changes.some((change) => spans.some((span) => touches(change, span)))) {
        compared.changed.push({ path, spans, oldPath, parent })
      }
      if (oldPath !== null) {
        compared.old.push({ path: oldPath, spans: before(spans, changes), oid: oldOid })
      }
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
    const trees = { old: parent, new: commit, recursive: true, ...this.#how.renames } as const
    this.#opened.reader.pages({ kind: 'diff', ...trees }, (page) => {
      for (const change of decodeChanges(new Uint8Array(page), undefined)) {
        const { pathBytes, oldPathBytes, similarity } = change
        if (similarity !== null) found.set(fromBytes(pathBytes), fromBytes(oldPathBytes))
      }
    })
    return found
  }
}

function filesOf(own: ReadonlyMap<string, FollowedFile>): FollowedFile[] {
  return [...own.values()].sort((one, other) => (one.path < other.path ? -1 : 1))
}
