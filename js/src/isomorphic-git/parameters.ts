/** The parameters that all functions take, and their checks. */
import type { FsClient } from '../index.js'
import { unwrapped } from './client.js'
import { MissingParameterError } from './errors.js'

/** The parameters that name a repository. */
export interface RepositoryParameters {
  /** A file system client, in any shape that isomorphic-git takes. */
  readonly fs: FsClient
  /** The worktree. */
  readonly dir?: string | undefined
  /** The git directory, or a `.git` file that names it; by default `.git` in `dir`. */
  readonly gitdir?: string | undefined
  /** Taken for the sake of isomorphic-git; repositories stay open with and without it. */
  readonly cache?: object | undefined
}

/** A repository on a file system. */
export interface Place {
  readonly fs: FsClient
  readonly gitdir: string
  /** The worktree, for functions that look at its files. */
  readonly dir?: string
}

/** As {@link placeOf}, with the worktree. */
export function worktreeOf<P extends RepositoryParameters>(
  parameters: P,
  required: readonly (keyof P & string)[],
): Place & { readonly dir: string } {
  const place = placeOf(parameters, required)
  if (parameters.dir === undefined) throw new MissingParameterError('dir')
  return { ...place, dir: parameters.dir }
}

/** @throws `MissingParameterError` if `fs`, the directory or one of `required` is undefined */
export function placeOf<P extends RepositoryParameters>(
  parameters: P,
  required: readonly (keyof P & string)[],
): Place {
  const { fs, dir, gitdir = dir === undefined ? undefined : dotGitOf(dir) } = parameters
  if (fs === undefined) throw new MissingParameterError('fs')
  if (gitdir === undefined) throw new MissingParameterError('gitdir')
  const missing = required.find((name) => parameters[name] === undefined)
  if (missing !== undefined) throw new MissingParameterError(missing)
  return { fs: unwrapped(fs), gitdir }
}

function dotGitOf(dir: string): string {
  return dir === '' || dir.endsWith('/') ? `${dir}.git` : `${dir}/.git`
}
