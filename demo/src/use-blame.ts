import type { BlamedLines, CommitObject } from 'packlens'
import { useEffect, useState } from 'preact/hooks'
import { failureOf } from './reading/advice'
import { withCommits } from './reading/found-commits'
import { ignoredRevisions } from './reading/ignored-revisions'
import type { Place } from './reading/page'
import { pathBytesOf } from './reading/page'
import type { Opened } from './repository/opened'
import { pages } from './words/pages'

export interface Blame {
  readonly ranges: readonly BlamedLines[]
  readonly commits: ReadonlyMap<string, CommitObject>
  /** The number of commits that blame looked through. */
  readonly ignored: number
  readonly done: boolean
  readonly failure: string
}

const none: Blame = { ranges: [], commits: new Map(), ignored: 0, done: false, failure: '' }

/**
 * Finds the commits that last changed the lines of a file; the answer grows as they are found.
 * `ignores` looks through those that the repository wants to be ignored.
 */
export function useBlame({ repo, meter }: Opened, place: Place, ignores: boolean): Blame {
  const [blame, setBlame] = useState(none)
  const commit = place.commit?.oid
  useEffect(() => {
    if (commit === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    const find = async () => {
      const ignore = ignores ? await ignoredRevisions(repo, commit) : []
      const found = repo.blame(commit, pathBytesOf(place), { signal, ignore })
      await withCommits(repo, found, (ranges, commits, done) => {
        if (signal.aborted) return
        setBlame({ ranges, commits, ignored: ignore.length, done, failure: '' })
      })
    }
    setBlame(none)
    meter
      .beside(() => pages.actions.blame, find)
      .catch((error: unknown) => {
        if (!signal.aborted) setBlame({ ...none, failure: failureOf(error) })
      })
    return () => controller.abort()
  }, [repo, commit, place.path.map((part) => part.key).join('/'), ignores])
  return blame
}
