/** Reads a history, a portion at a time. */
import type { CommitObject, Repository, RevListOptions } from 'packlens'

/** The number of commits that are added at a time. */
const PORTION = 50

export class CommitLog {
  readonly #commits: AsyncGenerator<CommitObject, undefined>
  readonly #stop = new AbortController()
  readonly commits: CommitObject[] = []
  done = false

  constructor(repo: Repository, start: string, options: RevListOptions) {
    this.#commits = repo.log(start, { ...options, signal: this.#stop.signal })
  }

  /** Appends the next portion to {@link commits}; calls `onFound` after each commit. */
  async more(onFound: () => void): Promise<void> {
    const end = this.commits.length + PORTION
    while (this.commits.length < end) {
      const { value: commit } = await this.#commits.next()
      if (!commit) {
        this.done = true
        return
      }
      this.commits.push(commit)
      onFound()
    }
  }

  close(): void {
    this.#stop.abort()
  }
}
