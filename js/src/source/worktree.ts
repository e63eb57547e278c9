/**
 * Which files of a repository belong to one worktree, and which to all. A linked
 * worktree has a git directory of its own, whose `commondir` names the shared one.
 */

/** Refs that each worktree has of its own, besides names without a slash. */
export const ownRefs: readonly string[] = ['bisect', 'worktree', 'rewritten']

/** The prefix of refs of the main worktree, as seen from a linked one. */
export const mainWorktree = 'main-worktree/'

/**
 * What stands before files that only a linked worktree has besides the shared ones
 * of the same path.
 */
export const ownWorktree = '.worktree/'

const LOGS = 'logs/'

/** Returns whether the file at `path` is in a worktree's own git directory. */
export function isOwn(path: string): boolean {
  if (!path.includes('/')) return path === 'config.worktree' || /^[A-Z_]+$/.test(path)
  // The reflog of a ref is where the ref is.
  if (path.startsWith(LOGS)) return isOwn(path.slice(LOGS.length))
  return ownRefs.some((part) => path === `refs/${part}` || path.startsWith(`refs/${part}/`))
}

/** Where the files of a repository are: one place, or two for a linked worktree. */
export interface GitDirectory<P = string> {
  readonly gitDir: P
  readonly commonDir: P
  /** Where refs are that worktrees share: another common directory has none of them. */
  readonly refDir: P
}

/** Returns which of them a path is in, and the path there. */
export function located<P>(path: string, place: GitDirectory<P>): [from: P, path: string] {
  const { gitDir, commonDir, refDir } = place
  if (path.startsWith(mainWorktree)) return [refDir, path.slice(mainWorktree.length)]
  if (path.startsWith(ownWorktree) && gitDir !== refDir) {
    return [gitDir, path.slice(ownWorktree.length)]
  }
  if (isOwn(path)) return [gitDir, path]
  return [/^(refs|logs|reftable|packed-refs)(\/|$)/.test(path) ? refDir : commonDir, path]
}

/** Returns the path that a `.git` file names, `null` if `text` is not a `.git` file. */
export function targetOfDotGit(text: string): string | null {
  return /^gitdir: (.*?)[\r\n]*$/.exec(text)?.[1] || null
}
