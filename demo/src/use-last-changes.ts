import type { CommitObject } from 'packlens'
import { useEffect, useState } from 'preact/hooks'
import { withCommits } from './reading/found-commits'
import type { PathPart } from './reading/page'
import { pathBytesOf } from './reading/page'
import type { Opened } from './repository/opened'
import type { PathKey } from './route'
import { encodeKey } from './route'
import { useLeft } from './use-left'
import { first } from './words/first'

/**
 * Finds the commits that last changed the entries of a folder, in one walk; the result grows as
 * they are found. What cannot be found, as in a partial clone, stays out.
 */
export function useLastChanges(
  { repo, meter }: Opened,
  commit: string | null,
  path: readonly PathPart[],
): ReadonlyMap<PathKey, CommitObject> {
  const [found, setFound] = useState<ReadonlyMap<PathKey, CommitObject>>(new Map())
  const keys = path.map((part) => part.key).join('/')
  const left = useLeft()
  useEffect(() => {
    if (commit === null) return
    const controller = new AbortController()
    const signal = AbortSignal.any([controller.signal, left])
    const folder = pathBytesOf({ path })
    const find = () => {
      const rows = repo.lastModified(commit, { signal, ...(folder.length > 0 && { path: folder }) })
      return withCommits(repo, rows, (entries, commits) => {
        if (signal.aborted) return
        const known = entries.flatMap(({ nameBytes, commit }) => {
          const change = commits.get(commit)
          return change ? [[encodeKey(nameBytes), change] as const] : []
        })
        setFound(new Map(known))
      })
    }
    meter.beside(() => first.actions.lastChanges, find).catch(() => {})
    return () => controller.abort()
  }, [repo, commit, keys, left])
  return found
}
