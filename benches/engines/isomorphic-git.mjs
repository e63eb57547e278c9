// isomorphic-git, from npm. It cannot list all objects, and refuses trees
// with names such as `back\slash`.
import { benchPackage, javascript } from './javascript.mjs'

export const name = 'isomorphic-git'

export function version() {
  return benchPackage(name)
}

const does = ['first-blob', 'blobs', 'mixed', 'count', 'commit', 'files', 'status-matrix']

export const jobs = Object.fromEntries(does.map((job) => [job, (task) => runsOf(job, task)]))

/**
 * The runs of a job by functions of isomorphic-git: those of a loop also without their `cache`, those
 * that a program repeats also inside a process.
 */
export function runsOf(job, task, more = {}) {
  const run = (given) => javascript('isomorphic-git-jobs.mjs', job, task, { ...more, ...given })
  if (job === 'files') return [run(), { variant: 'without `cache`', ...run({ cached: false }) }]
  return job === 'status-matrix' ? [run(), { variant: 'inside', inside: true, ...run() }] : [run()]
}
