/** Finds the worktree that contains a path. */
import type { FsClient } from '../index.js'
import { called } from './calls.js'
import { promising, unwrapped } from './client.js'
import { MissingParameterError, NotFoundError } from './errors.js'

/** The parameters of {@link findRoot}. */
export interface FindRootParameters {
  readonly fs: FsClient
  /** A path inside the worktree. */
  readonly filepath: string
}

/** Returns the nearest directory above a path, or the path itself, that has a `.git`. */
export function findRoot({ fs, filepath }: FindRootParameters): Promise<string> {
  return called('findRoot', async () => {
    if (fs === undefined) throw new MissingParameterError('fs')
    if (filepath === undefined) throw new MissingParameterError('filepath')
    const client = promising(unwrapped(fs))
    const exists = (path: string) =>
      client.stat(path).then(
        () => true,
        () => false,
      )
    for (let at = filepath; ; at = parentOf(at)) {
      if (await exists(at.endsWith('/') ? `${at}.git` : `${at}/.git`)) return at
      if (parentOf(at) === at) throw new NotFoundError(`git root for ${filepath}`)
    }
  })
}

function parentOf(path: string): string {
  const end = path.replace(/\/+$/, '').lastIndexOf('/')
  if (end > 0) return path.slice(0, end)
  return path.startsWith('/') ? '/' : '.'
}
