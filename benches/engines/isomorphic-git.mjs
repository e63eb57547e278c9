// isomorphic-git, from npm. It cannot list all objects, and refuses trees
// with names such as `back\slash`.
import { benchPackage, javascript } from './javascript.mjs'

export const name = 'isomorphic-git'

export function version() {
  return benchPackage(name)
}

const does = ['first-blob', 'blobs', 'mixed', 'count', 'commit', 'files', 'status-matrix']

export const jobs = Object.fromEntries(
  does.map((job) => [job, (task) => [javascript('isomorphic-git-jobs.mjs', job, task)]]),
)
