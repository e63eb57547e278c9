/** Lists the files of a tree or of the index. */
import { answered } from './calls.js'
import { peeled } from './objects.js'
import type { RepositoryParameters } from './parameters.js'
import { resolve } from './resolve.js'
import { comparePaths } from './text.js'

/** The parameters of {@link listFiles}. */
export interface ListFilesParameters extends RepositoryParameters {
  /** The revision whose files are listed. Default: the index. */
  readonly ref?: string | undefined
}

/** Lists the paths of all files, the names of each directory in order. */
export function listFiles(parameters: ListFilesParameters): Promise<string[]> {
  return answered('listFiles', parameters, [], async (repo) => {
    const { ref } = parameters
    if (!ref) {
      const staged = new Set<string>()
      for await (const { path } of repo.index()) staged.add(path)
      return [...staged].sort(comparePaths)
    }
    const tree = await peeled(repo, await repo.read(await resolve(repo, ref)), 'tree')
    const paths: string[] = []
    const options = { recursive: true, trees: false }
    for await (const { path } of repo.walk(tree.oid, options)) paths.push(path)
    return paths.sort(comparePaths)
  })
}
