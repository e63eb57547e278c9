// `packlens/isomorphic-git`: the functions of isomorphic-git, by packlens.
import { pathToFileURL } from 'node:url'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { runsOf } from './isomorphic-git.mjs'

export const name = 'packlens-isomorphic-git'

export function version() {
  return 'packlens/isomorphic-git'
}

const module = pathToFileURL(inRoot('dist', 'packlens-isomorphic-git.js')).href

/** The most bytes of objects that it may read for one commit, however large the pack. */
const MOST_FOR_COMMIT = 64 << 10

const does = ['first-blob', 'commit', 'files', 'status-matrix']

export const jobs = Object.fromEntries(
  does.map((job) => {
    const most = job === 'commit' ? { most: MOST_FOR_COMMIT } : {}
    return [job, (task) => runsOf(job, task, { module, ...most })]
  }),
)
