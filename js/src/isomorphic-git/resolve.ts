/** Resolves names of refs, step by step. */
import type { Repository } from '../index.js'
import { isPacklensError } from '../index.js'
import { InternalError, NotFoundError } from './errors.js'

const SYMBOLIC = 'ref: '

/** Returns the full names that a short one may stand for, in git's order. */
export function fullNames(ref: string): string[] {
  const before = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']
  return [...before.map((prefix) => prefix + ref), `refs/remotes/${ref}/HEAD`]
}

export function isOid(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)
}

/** Returns the first ref that a short name stands for, and what is stored in it. */
export async function storedRef(
  repo: Repository,
  ref: string,
): Promise<{ name: string; value: string } | null> {
  for (const name of fullNames(ref)) {
    const found = await repo.refs.get(name)
    const value = found && (found.target === null ? found.oid : SYMBOLIC + found.target)
    if (value) return { name, value }
  }
  return null
}

/**
 * Follows a ref for at most `depth` steps, each a symbolic ref or the reading of one. What is no
 * ref may be any revision of git.
 */
export async function resolve(repo: Repository, ref: string, depth = -1): Promise<string> {
  const visited = new Set<string>()
  let at = ref
  for (let left = depth; left !== 0 && !isOid(at); left--) {
    if (at.startsWith(SYMBOLIC)) {
      at = at.slice(SYMBOLIC.length)
      continue
    }
    const found = await storedRef(repo, at)
    if (!found && at === ref) return revision(repo, ref)
    if (!found) throw new NotFoundError(at)
    if (visited.has(found.name)) {
      throw new InternalError(`the symbolic ref ${found.name} leads to itself`)
    }
    visited.add(found.name)
    at = found.value
  }
  return at
}

async function revision(repo: Repository, ref: string): Promise<string> {
  try {
    return await repo.resolve(ref)
  } catch (error) {
    if (isPacklensError(error, 'NOT_FOUND', 'BAD_INPUT')) throw new NotFoundError(ref, error)
    throw error
  }
}

/** Returns the id of a ref; `null` for the branch of `HEAD` if it has no commits yet. */
export async function resolveOrUnborn(repo: Repository, ref: string): Promise<string | null> {
  try {
    return await resolve(repo, ref)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
    const target = await resolve(repo, 'HEAD', 2).catch(() => '')
    const isHead = ref === 'HEAD' || fullNames(ref).includes(target)
    if (isHead && target.startsWith('refs/heads/')) return null
    throw error
  }
}
