/** Whether git walks a repository by a commit-graph, where that changes an answer of git. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Opened } from '../opening/command.js'
import { objectDirectoryOf } from '../repository/object-directory.js'

const FILES = ['commit-graph', 'commit-graphs/commit-graph-chain']

/** Returns whether the repository has a commit-graph that git reads. */
export function hasCommitGraph(opened: Opened): boolean {
  if (opened.settings.flag('core.commitGraph') === false) return false
  const { common, objects } = objectDirectoryOf(opened)
  // Parents that are not a commit's own make git ignore the graph.
  const hasOthers = fs.existsSync(path.join(common, 'shallow'))
  return !hasOthers && FILES.some((name) => fs.existsSync(path.join(objects, 'info', name)))
}
