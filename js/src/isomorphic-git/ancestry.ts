/** Compares the histories of commits. */
import type { Repository } from '../index.js'
import { unlessAbsent } from './absent.js'
import { answered } from './calls.js'
import { MaxDepthError, MissingParameterError, ObjectTypeError } from './errors.js'
import type { RepositoryParameters } from './parameters.js'

/** The parameters of {@link isDescendent}. */
export interface IsDescendentParameters extends RepositoryParameters {
  readonly oid: string
  readonly ancestor: string
  /** The most commits to visit; -1, the default, visits all. */
  readonly depth?: number | undefined
}

/** The parameters of {@link findMergeBase}. */
export interface FindMergeBaseParameters extends RepositoryParameters {
  readonly oids: readonly string[]
}

/**
 * Returns whether `ancestor` is in the history of the commit `oid`, and is not the commit itself.
 *
 * @throws `MaxDepthError` if `depth` commits do not show it
 */
export function isDescendent(parameters: IsDescendentParameters): Promise<boolean> {
  const { oid, ancestor, depth = -1 } = parameters
  return answered('isDescendent', parameters, ['oid', 'ancestor'], async (repo) => {
    if (!oid) throw new MissingParameterError('oid')
    if (!ancestor) throw new MissingParameterError('ancestor')
    if (oid === ancestor) return false
    await expectCommit(repo, oid)
    if (depth >= 0) return isNear(repo, oid, ancestor, depth)
    // No history contains a commit that does not exist, nor what is no commit.
    const info = await unlessAbsent(repo.info(ancestor))
    return info?.type === 'commit' && repo.isAncestor(ancestor, oid)
  })
}

/** Looks for an ancestor in the newest commits. */
async function isNear(
  repo: Repository,
  oid: string,
  ancestor: string,
  depth: number,
): Promise<boolean> {
  let visited = 0
  const limit = depth + 1
  for await (const { parents } of repo.log(oid, { limit })) {
    if (visited++ === depth) throw new MaxDepthError(depth)
    if (parents.includes(ancestor)) return true
  }
  return false
}

/** Returns the best common ancestors of all commits together. */
export function findMergeBase(parameters: FindMergeBaseParameters): Promise<string[]> {
  const { oids } = parameters
  return answered('findMergeBase', parameters, ['oids'], async (repo) => {
    for (const oid of oids) await expectCommit(repo, oid)
    return oids.length === 0 ? [] : repo.mergeBases(oids, { octopus: true })
  })
}

async function expectCommit(repo: Repository, spec: string): Promise<void> {
  const { oid, type } = await repo.info(spec)
  if (type !== 'commit') throw new ObjectTypeError(oid, type, 'commit')
}
