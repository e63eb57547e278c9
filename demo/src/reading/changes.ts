/** Reads what changed between two trees, a portion at a time. */
import type { FilePatch, Repository } from 'packlens'

/** A portion ends after so many changed lines, or files. */
const MOST_LINES = 3000
const MOST_FILES = 100

export class ChangeList {
  readonly #patches: AsyncGenerator<FilePatch, undefined>
  readonly #stop = new AbortController()
  readonly files: FilePatch[] = []
  added = 0
  removed = 0
  done = false

  /** Compares two revisions; `null` stands for the empty tree. */
  constructor(repo: Repository, old: string | null, changed: string) {
    const { signal } = this.#stop
    this.#patches = repo.patches(old, changed, { renames: true, signal })
  }

  /** Appends the next portion to {@link files}. */
  async more(): Promise<void> {
    let lines = 0
    const end = this.files.length + MOST_FILES
    while (this.files.length < end && lines < MOST_LINES) {
      const { value: patch } = await this.#patches.next()
      if (!patch) {
        this.done = true
        return
      }
      this.files.push(patch)
      this.added += patch.added
      this.removed += patch.removed
      lines += linesOf(patch)
    }
  }

  close(): void {
    this.#stop.abort()
  }
}

/** Returns how many lines of a patch are shown. */
export function linesOf({ hunks }: FilePatch): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0)
}
