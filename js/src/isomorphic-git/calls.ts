/** What every function does: checks its parameters, and throws errors of isomorphic-git's. */
import type { Repository } from '../index.js'
import { isPacklensError } from '../index.js'
import { asPeer, GitError, InternalError, NotFoundError } from './errors.js'
import type { Place, RepositoryParameters } from './parameters.js'
import { placeOf } from './parameters.js'
import { inRepository } from './repositories.js'

/** Answers a call of the function `name` from the repository that its parameters name. */
export function answered<P extends RepositoryParameters, T>(
  name: string,
  parameters: P,
  required: readonly (keyof P & string)[],
  answer: (repo: Repository, place: Place) => Promise<T>,
): Promise<T> {
  return called(name, () => {
    const place = placeOf(parameters, required)
    return inRepository(place, (repo) => answer(repo, place))
  })
}

/** Names the function in the errors of a call, and makes them isomorphic-git's. */
export async function called<T>(name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const thrown = translated(error)
    if (typeof thrown === 'object' && thrown !== null) {
      Object.assign(thrown, { caller: `git.${name}` })
    }
    throw thrown
  }
}

/** Returns isomorphic-git's error for an error of packlens, where it has one. */
function translated(error: unknown): unknown {
  if (error instanceof GitError) return asPeer(error)
  if (!isPacklensError(error)) return error
  switch (error.code) {
    case 'NOT_FOUND':
      return asPeer(new NotFoundError(error.subject ?? error.message, error))
    case 'PROMISED': {
      const what = `${error.subject}, which belongs to this partial clone but was never fetched`
      return asPeer(new NotFoundError(what, error))
    }
    case 'CORRUPT':
      return asPeer(new InternalError(error.message, error))
    case 'SOURCE':
      return error.cause ?? error
    default:
      return error
  }
}
