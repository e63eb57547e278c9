import type { BlamedLines, CommitObject } from 'packlens'
import { useEffect, useState } from 'preact/hooks'
import { failureOf } from './reading/advice'
import { withCommits } from './reading/found-commits'
import type { Place } from './reading/page'
import { pathBytesOf } from './reading/page'
import type { Opened } from './repository/opened'
import { pages } from './words/pages'

export interface Blame {
  readonly ranges: readonly BlamedLines[]
  readonly commits: ReadonlyMap<string, CommitObject>
  readonly done: boolean
  readonly failure: string
}

const none: Blame = { ranges: [], commits: new Map(), done: false, failure: '' }

/** Finds the commits that last changed the lines of a file; the answer grows as they are found. */
export function useBlame({ repo, meter }: Opened, place: Place): Blame {
  const [blame, setBlame] = useState(none)
  const commit = place.commit?.oid
  useEffect(() => {
    if (commit === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    const find = () =>
      withCommits(
        repo,
        repo.blame(commit, pathBytesOf(place), { signal }),
        (ranges, commits, done) => {
          if (!signal.aborted) setBlame({ ranges, commits, done, failure: '' })
        },
      )
    setBlame(none)
    meter
      .beside(() => pages.actions.blame, find)
      .catch((error: unknown) => {
        if (!signal.aborted) setBlame({ ...none, failure: failureOf(error) })
      })
    return () => controller.abort()
  }, [repo, commit, place.path.map((part) => part.key).join('/')])
  return blame
}
