import type { BlamedLines, CommitObject } from 'packlens'
import { useEffect, useState } from 'preact/hooks'
import { adviceFor } from './reading/advice'
import { readCommits } from './reading/history'
import type { Place } from './reading/page'
import { pathBytesOf } from './reading/page'
import type { Opened } from './repository/opened'

export interface Blame {
  readonly ranges: readonly BlamedLines[]
  readonly commits: ReadonlyMap<string, CommitObject>
  readonly done: boolean
  readonly failure: string
}

const none: Blame = { ranges: [], commits: new Map(), done: false, failure: '' }

/** Milliseconds between two updates of the page. */
const BETWEEN = 200

/** Finds the commits that last changed the lines of a file; the answer grows as they are found. */
export function useBlame({ repo, meter }: Opened, place: Place): Blame {
  const [blame, setBlame] = useState(none)
  const commit = place.commit?.oid
  useEffect(() => {
    if (commit === undefined) return
    const controller = new AbortController()
    const { signal } = controller
    const ranges: BlamedLines[] = []
    const commits = new Map<string, CommitObject>()
    const show = async (done: boolean) => {
      const unread = new Set(ranges.map((range) => range.commit).filter((oid) => !commits.has(oid)))
      for (const read of await readCommits(repo, [...unread])) commits.set(read.oid, read)
      if (!signal.aborted) setBlame({ ...none, ranges: [...ranges], commits, done })
    }
    const find = async () => {
      const path = pathBytesOf(place)
      let shown = performance.now()
      for await (const range of repo.blame(commit, path, { signal })) {
        ranges.push(range)
        if (performance.now() - shown < BETWEEN) continue
        await show(false)
        shown = performance.now()
      }
      await show(true)
    }
    setBlame(none)
    meter.beside('Blame', find).catch((error: unknown) => {
      const { title, detail } = adviceFor(error)
      if (!signal.aborted) setBlame({ ...none, failure: `${title}. ${detail}` })
    })
    return () => controller.abort()
  }, [repo, commit, place.path.map((part) => part.key).join('/')])
  return blame
}
