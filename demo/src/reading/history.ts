/** Walks the ancestors of a commit, the newest first. */
import type { CommitObject, Repository } from 'packlens'

/** The number of commits that the list adds at a time. */
export const PAGE = 20

/**
 * Walks by committer date, as `git log` does without options: of the visited commits' parents, the
 * newest comes next. Dates need not follow the graph, so a parent may precede another child.
 */
export class CommitWalk {
  readonly #repo: Repository
  readonly #seen = new Set<string>()
  /** Sorted with the oldest first, so that the newest is the last. */
  readonly #waiting: CommitObject[] = []
  #unread: string[]
  #missing = 0
  readonly commits: CommitObject[] = []

  constructor(repo: Repository, start: string) {
    this.#repo = repo
    this.#unread = [start]
    this.#seen.add(start)
  }

  get done(): boolean {
    return this.#unread.length === 0 && this.#waiting.length === 0
  }

  /** The number of missing parents, as a shallow clone has. */
  get missing(): number {
    return this.#missing
  }

  /** Appends up to `count` more commits to {@link commits}. */
  async more(count = PAGE): Promise<void> {
    const end = this.commits.length + count
    while (this.commits.length < end && !this.done) {
      if (this.#unread.length > 0) await this.#read()
      const commit = this.#waiting.pop()
      if (!commit) continue
      this.commits.push(commit)
      for (const parent of commit.parents) {
        if (this.#seen.has(parent)) continue
        this.#seen.add(parent)
        this.#unread.push(parent)
      }
    }
  }

  async #read(): Promise<void> {
    const oids = this.#unread
    const found = await readCommits(this.#repo, oids)
    // Cleared only after the read, so that a failed read can be retried.
    this.#unread = []
    this.#missing += oids.length - found.length
    for (const commit of found) this.#insert(commit)
  }

  #insert(commit: CommitObject): void {
    const date = dateOf(commit)
    let low = 0
    let high = this.#waiting.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#waiting[middle]
      if (other && dateOf(other) < date) low = middle + 1
      else high = middle
    }
    this.#waiting.splice(low, 0, commit)
  }
}

/** Reads many commits at once; omits missing objects and those of other types. */
export async function readCommits(
  repo: Repository,
  oids: readonly string[],
): Promise<CommitObject[]> {
  const commits: CommitObject[] = []
  let start: { index: number; skip: number } | null = { index: 0, skip: 0 }
  while (start) {
    const batch = await repo.readMany(oids, { start, size: BATCH })
    for (const row of batch) {
      if (row.type === 'failed') throw row.error
      if (row.type !== 'commit' || row.dataOffset > 0) continue
      // A commit larger than the buffer is split, so it is read on its own.
      const object = row.more ? await repo.read(row.oid) : row.object()
      if (object.type === 'commit') commits.push(object)
    }
    start = batch.next
  }
  return commits
}

const BATCH = 4 << 20

export function dateOf(commit: CommitObject): number {
  return commit.committer.seconds ?? 0
}

/** Returns git's subject of a message: the first paragraph, on one line. */
export function subjectOf(message: string): string {
  const [paragraph = ''] = message.replace(/^\s*\n/, '').split(/\n[ \t\r]*\n/)
  return paragraph.trim().replaceAll(/\s*\n\s*/g, ' ')
}

/** Returns the message after the subject. */
export function bodyOf(message: string): string {
  const text = message.replace(/^\s*\n/, '')
  const end = text.search(/\n[ \t\r]*\n/)
  return end < 0
    ? ''
    : text
        .slice(end)
        .replace(/^\s*\n/, '')
        .trimEnd()
}
