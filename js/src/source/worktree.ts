/**
 * Decides which files of a repository belong to one worktree, and which to all. A linked
 * worktree has a git directory of its own, whose file `commondir` names the shared one.
 */

/** The directories of per-worktree refs; names without a slash are per-worktree refs too. */
export const ownRefs: readonly string[] = ['bisect', 'worktree', 'rewritten']

/** The prefix of refs of the main worktree, as seen from a linked one. */
export const mainWorktree = 'main-worktree/'

/**
 * The prefix of files that a linked worktree has in addition to the shared files of the same
 * path.
 */
export const ownWorktree = '.worktree/'

/**
 * The directory as which the core lists the files of a work tree, with what the file system says
 * of each, and as which it reads them.
 */
export const worktreeFiles = '.worktree-files/'

/** The prefix of a file of the git directory, of which the core needs the times alone. */
export const worktreeStat = '.worktree-stat/'

/** What is between the path of a submodule and that of a file in its git directory. */
export const gitInWorktree = '/.git//'

/** Returns the name of a file in the git directory of a submodule, in the forms of a store. */
export function nameAfter(name: string, bytes: Uint8Array): [name: string, bytes: Uint8Array] {
  const mark = new TextEncoder().encode(gitInWorktree)
  // Names that are not UTF-8 have another length as text.
  const at = bytes.findIndex((_, at) => mark.every((byte, next) => bytes[at + next] === byte))
  const rest = name.slice(name.indexOf(gitInWorktree) + gitInWorktree.length)
  return [rest, bytes.subarray(at + mark.byteLength)]
}

const LOGS = 'logs/'

/** Returns whether the file at `path` is in a worktree's own git directory. */
export function isOwn(path: string): boolean {
  if (!path.includes('/')) return path === 'config.worktree' || /^[A-Z_]+$/.test(path)
  // The reflog of a ref is where the ref is.
  if (path.startsWith(LOGS)) return isOwn(path.slice(LOGS.length))
  return ownRefs.some((part) => path === `refs/${part}` || path.startsWith(`refs/${part}/`))
}

/** The directories of a repository's files, which differ for a linked worktree. */
export interface GitDirectory<P = string> {
  readonly gitDir: P
  readonly commonDir: P
  /** The directory of shared refs: also if the caller names another common directory. */
  readonly refDir: P
}

/** Returns the directory that has a path, and the path in that directory. */
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
