/** The parents of commits as the repository has them: with grafts, and shallow commits. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Opened } from '../opening/command.js'
import type { CommitContent } from '../pretty/commit-content.js'

/** Returns the parents of a commit. */
export function realParents({ io, place, reader }: Opened, content: CommitContent): string[] {
  const { env } = io
  const files = ['shallow', path.join('info', 'grafts')]
  const isGrafted =
    env.GIT_SHALLOW_FILE !== undefined ||
    env.GIT_GRAFT_FILE !== undefined ||
    files.some((file) => fs.existsSync(path.join(place.gitDir, file)))
  if (!isGrafted) return [...content.parents]
  const parents: string[] = []
  for (let number = 1; ; number++) {
    const parent = reader.find(`${content.oid}^${number}`)
    if (parent === null) return parents
    parents.push(parent)
  }
}
