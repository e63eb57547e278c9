/** Lists the files of a tree. */
import { answered } from './calls.js'
import { peeled } from './objects.js'
import type { RepositoryParameters } from './parameters.js'
import { resolve } from './resolve.js'
import { comparePaths } from './text.js'
import { notYet } from './unsupported.js'

export interface ListFilesParameters extends RepositoryParameters {
  /** The revision whose files are listed. */
  readonly ref?: string | undefined
}

/** Lists the paths of all files, the names of each directory in order. */
export function listFiles(parameters: ListFilesParameters): Promise<string[]> {
  return answered('listFiles', parameters, [], async (repo) => {
    const { ref } = parameters
    if (!ref) throw notYet('the index, which `listFiles` lists without `ref`')
    const tree = await peeled(repo, await repo.read(await resolve(repo, ref)), 'tree')
    const paths: string[] = []
    const options = { recursive: true, trees: false }
    for await (const { path } of repo.walk(tree.oid, options)) paths.push(path)
    return paths.sort(comparePaths)
  })
}
