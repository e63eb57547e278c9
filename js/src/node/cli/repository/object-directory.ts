/** Where the objects of a repository are stored on the disk. */
import * as path from 'node:path'
import { gitDirectoryAt } from '../../path-store.js'
import { environmentOf } from '../base/environment.js'
import type { Opened } from '../opening/command.js'

/** Returns the git directory that worktrees share, and the directory of objects. */
export function objectDirectoryOf({ io, place: { gitDir } }: Pick<Opened, 'io' | 'place'>): {
  readonly common: string
  readonly objects: string
} {
  const { directories } = environmentOf(io)
  const common = gitDirectoryAt(gitDir, directories)?.commonDir ?? gitDir
  return { common, objects: directories.objectDirectory ?? path.join(common, 'objects') }
}
