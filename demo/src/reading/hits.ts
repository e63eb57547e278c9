/** Searches the files of a commit, a portion at a time. */
import type { GrepHit, Repository } from 'packlens'
import type { Query } from '../route'

/** The hits that are added at a time. */
const PORTION = 300

/** The hits in a file. */
export interface FileHits {
  readonly path: string
  readonly pathBytes: Uint8Array
  readonly lines: GrepHit[]
}

export class HitList {
  readonly #hits: AsyncGenerator<GrepHit, undefined>
  readonly #stop = new AbortController()
  readonly files: FileHits[] = []
  count = 0
  done = false

  /** Searches below a path; an empty path is the whole tree. */
  constructor(repo: Repository, commit: string, path: Uint8Array, query: Query) {
    const { text = '', syntax, case: exact } = query
    this.#hits = repo.grep(commit, text, {
      signal: this.#stop.signal,
      syntax: syntax === 'regexp' ? 'extended' : 'fixed',
      ignoreCase: exact !== 'exact',
      columns: true,
      before: 1,
      after: 1,
      ...(path.length > 0 && { path }),
    })
  }

  /** Appends the next portion to {@link files}; calls `onFound` after each hit. */
  async more(onFound: () => void): Promise<void> {
    const end = this.count + PORTION
    while (this.count < end) {
      const { value: hit } = await this.#hits.next()
      if (!hit) {
        this.done = true
        return
      }
      const last = this.files.at(-1)
      if (last?.path === hit.path) last.lines.push(hit)
      else this.files.push({ path: hit.path, pathBytes: hit.pathBytes, lines: [hit] })
      if (hit.kind !== 'context') this.count++
      onFound()
    }
  }

  close(): void {
    this.#stop.abort()
  }
}
