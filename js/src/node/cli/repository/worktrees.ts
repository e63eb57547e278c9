/** Which branches the worktrees of a repository have checked out. */
import * as path from 'node:path'
import { commonDirectory, readText } from '../../path-store.js'
import { namesIn } from '../base/names-in.js'
import { realPath } from '../base/real-path.js'
import { readRef } from '../refs/refnames.js'
import { bytesOfArgument } from '../text/bytes.js'
import type { Place } from './place.js'
import type { Reader } from './reader.js'

/** Returns the absolute path of the worktree of each branch that is checked out. */
export function checkedOut(reader: Reader, { gitDir }: Place): ReadonlyMap<string, string> {
  const common = commonDirectory(gitDir)
  const found = new Map<string, string>()
  const add = (head: string, folder: string) => {
    const branch = readRef(reader, head)?.target
    if (branch != null) found.set(bytesOfArgument(branch), bytesOfArgument(folder))
  }
  add('main-worktree/HEAD', withoutGit(realPath(common)))
  const folders = path.join(common, 'worktrees')
  for (const id of namesIn(folders).sort()) {
    const file = firstLine(path.join(folders, id, 'gitdir'))
    if (file === '') continue
    add(`worktrees/${bytesOfArgument(id)}/HEAD`, withoutGit(path.resolve(folders, id, file)))
  }
  return found
}

/** A repository that is not named `.git` counts as a worktree itself, as in git. */
function withoutGit(folder: string): string {
  return path.basename(folder) === '.git' ? path.dirname(folder) : folder
}

function firstLine(file: string): string {
  try {
    return readText(file).split('\n')[0] ?? ''
  } catch {
    return ''
  }
}
