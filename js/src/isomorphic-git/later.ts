/** Functions that read the index, the worktree or the configuration. */
import { later, notYet } from './unsupported.js'
import type { Walker } from './walkers.js'

export const getConfig = later('getConfig', 'the configuration')
export const getConfigAll = later('getConfigAll', 'the configuration')
export const listRemotes = later('listRemotes', 'the configuration')
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
