import type { CommitObject } from 'packlens'
import { useEffect, useState } from 'preact/hooks'
import { readCommits } from './reading/history'
import type { PathPart } from './reading/page'
import { pathBytesOf } from './reading/page'
import type { Opened } from './repository/opened'
import type { PathKey } from './route'
import { encodeKey } from './route'
import { useLeft } from './use-left'

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
    const ids = new Map<PathKey, string>()
    const commits = new Map<string, CommitObject>()
    const show = async () => {
      const unread = new Set([...ids.values()].filter((oid) => !commits.has(oid)))
      for (const read of await readCommits(repo, [...unread])) commits.set(read.oid, read)
      if (signal.aborted) return
      const rows = Array.from(ids, ([key, oid]) => [key, commits.get(oid)] as const)
      setFound(new Map(rows.filter((row): row is [PathKey, CommitObject] => row[1] !== undefined)))
    }
    const find = async () => {
      const folder = pathBytesOf({ path })
      const options = { signal, ...(folder.length > 0 && { path: folder }) }
      let shown = performance.now()
      for await (const entry of repo.lastModified(commit, options)) {
        ids.set(encodeKey(entry.nameBytes), entry.commit)
        if (performance.now() - shown < BETWEEN) continue
        await show()
        shown = performance.now()
      }
      await show()
    }
    meter.beside('Last changes', find).catch(() => {})
    return () => controller.abort()
  }, [repo, commit, keys, left])
  return found
}

/** Milliseconds between two updates of the page. */
const BETWEEN = 300
