/** Repositories that stay open between calls: isomorphic-git's functions have no handle. */
import type { Repository } from '../index.js'
import { isPacklensError, open } from '../index.js'
import { completed } from './incomplete.js'
import type { Place } from './parameters.js'

interface OpenRepository extends Place {
  readonly repo: Promise<Repository>
  /** Calls in progress. */
  uses: number
}

/** How many repositories stay open, each with up to 64 MiB. */
const MOST_OPEN = 4

/** The least recently used repository is first. */
const opened: OpenRepository[] = []

/**
 * Calls `use` with the repository of a place. The repository stays open for the next call: it
 * notices by itself when its files change.
 */
export async function inRepository<T>(
  place: Place,
  use: (repo: Repository) => Promise<T>,
): Promise<T> {
  const at = opened.findIndex(({ fs, gitdir, dir }) => {
    return fs === place.fs && gitdir === place.gitdir && dir === place.dir
  })
  const [found = openedAt(place)] = at < 0 ? [] : opened.splice(at, 1)
  opened.push(found)
  found.uses++
  try {
    return await use(await found.repo)
  } finally {
    found.uses--
    closeUnused(MOST_OPEN)
  }
}

function openedAt(place: Place): OpenRepository {
  const repo = openOrComplete(place)
  const made = { ...place, repo, uses: 0 }
  // The next call tries again.
  repo.catch(() => remove(made))
  return made
}

async function openOrComplete(place: Place): Promise<Repository> {
  try {
    return await open({ ...place })
  } catch (error) {
    const other = isPacklensError(error, 'NOT_FOUND') ? await completed(place) : null
    if (!other) throw error
    return open({ ...other })
  }
}

/**
 * Closes the repositories that stay open between calls. Later calls open them again. Needed only
 * to release memory and files early.
 */
export function closeRepositories(): void {
  closeUnused(0)
}

/** Closes repositories without calls in progress until at most this many are open. */
function closeUnused(most: number): void {
  for (const one of opened.filter(({ uses }) => uses === 0)) {
    if (opened.length <= most) return
    remove(one)
    one.repo.then(
      (repo) => repo.close(),
      () => {},
    )
  }
}

function remove(one: OpenRepository): void {
  const at = opened.indexOf(one)
  if (at >= 0) opened.splice(at, 1)
}
