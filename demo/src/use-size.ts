import { useEffect, useState } from 'preact/hooks'
import type { Opened } from './repository/opened'

/** Milliseconds that the first page has to itself. */
const FIRST = 1000

/** Returns the size of a repository in bytes; that of one on a server after a while. */
export function useSize({ repo, size, meter }: Opened): number | undefined {
  const [packs, setPacks] = useState<number | undefined>(undefined)
  const isAsked = size === undefined && packs === undefined && (meter.stats()?.requests ?? 0) > 0
  useEffect(() => {
    if (!isAsked) return
    const timer = setTimeout(() => {
      repo.storage().then(
        ({ sizePack }) => setPacks(sizePack),
        // What was read is shown without its share.
        () => {},
      )
    }, FIRST)
    return () => clearTimeout(timer)
  }, [repo, isAsked])
  return size ?? packs
}
