/** Which paths are ignored. */
import { called } from './calls.js'
import type { RepositoryParameters } from './parameters.js'
import { worktreeOf } from './parameters.js'
import { inRepository } from './repositories.js'

/** The parameters of {@link isIgnored}. */
export interface IsIgnoredParameters extends RepositoryParameters {
  readonly dir: string
  /** The path of a file or directory in the worktree. */
  readonly filepath: string
}

/** Returns whether a path is ignored; as in isomorphic-git the index does not count. */
export function isIgnored(parameters: IsIgnoredParameters): Promise<boolean> {
  const { filepath } = parameters
  return called('isIgnored', () => {
    const place = worktreeOf(parameters, ['filepath'])
    return inRepository(place, async (repo) => {
      // As isomorphic-git answers, whatever the files say.
      if (filepath.split('/').at(-1) === '.git') return true
      if (filepath === '.') return false
      const [rule] = await repo.checkIgnore(filepath, { index: false })
      return rule?.isIgnored ?? false
    })
  })
}
