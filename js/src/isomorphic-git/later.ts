/** Functions that read ignore rules or the worktree. */
import { later, notYet } from './unsupported.js'
import type { Walker } from './walkers.js'

export const isIgnored = later('isIgnored', 'ignore rules')

/**
 * Stands for the worktree in isomorphic-git's `walk`; packlens does not have it yet.
 *
 * @throws `UNSUPPORTED`
 */
export function WORKDIR(): Walker {
  throw notYet('the worktree')
}
