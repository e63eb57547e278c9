/** Functions that read the index or the worktree. */
import { later, notYet } from './unsupported.js'
import type { Walker } from './walkers.js'

export const isIgnored = later('isIgnored', 'ignore rules')
export const status = later('status', 'the worktree')
export const statusMatrix = later('statusMatrix', 'the worktree')

/** @throws `UNSUPPORTED` */
export function STAGE(): Walker {
  throw notYet('the index')
}

/** @throws `UNSUPPORTED` */
export function WORKDIR(): Walker {
  throw notYet('the worktree')
}
