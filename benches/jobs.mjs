// The measured jobs. The engines do them in engines/.
import { inRoot } from '../scripts/lib/paths.mjs'
import { runNode } from '../scripts/lib/shell.mjs'

/**
 * `answer` names the kind of answer (lib/digest.mjs). `repository` is the
 * copy that is read: `plain` without a commit-graph, `graph` with one, `branches` with
 * many refs, `tables` with the same in a reftable; each is made when a job needs it.
 * `calls` prints how long the job took inside the process, without the start of that. `repeat`
 * makes one figure of this many runs, for jobs that are short compared with the clock's precision.
 */
export const jobs = {
  'first-blob': {
    about: 'opens the repository and reads HEAD:README.md, or the first file of HEAD',
    answer: 'bytes',
    repeat: 10,
  },
  commit: {
    about: 'opens the repository and reads the commit of HEAD',
    answer: 'bytes',
    repeat: 5,
  },
  files: { about: 'files of HEAD, a call each', answer: 'objects', requests: 'files' },
  'status-matrix': {
    about: 'the changed files of a work tree of 3,500 files, by `statusMatrix`',
    answer: 'bytes',
    worktree: true,
    calls: true,
  },
  'whole-pack': {
    about: 'the content of every object',
    answer: 'objects',
    anyOrder: true,
  },
  blobs: {
    about: 'random blobs, all requested at once, or a call each',
    answer: 'objects',
    requests: 'blobs',
  },
  mixed: {
    about: 'random objects of all kinds, all requested at once, or a call each',
    answer: 'objects',
    requests: 'mixed',
  },
  'one-by-one': {
    about: 'random objects, each requested after the previous one',
    answer: 'objects',
    requests: 'mixed',
  },
  'ls-tree': { about: 'all files of HEAD', answer: 'bytes' },
  'rev-list': { about: 'the ids of all commits of HEAD', answer: 'bytes' },
  'rev-list-graph': {
    about: 'the same with a commit-graph',
    answer: 'bytes',
    repository: 'graph',
  },
  'rev-list-all': { about: 'the ids of all commits of all refs', answer: 'bytes' },
  count: { about: 'rev-list --count HEAD', answer: 'bytes' },
  'count-graph': { about: 'the same with a commit-graph', answer: 'bytes', repository: 'graph' },
  'merge-base-easy': { about: 'of two commits that are close', answer: 'bytes', pair: 'easy' },
  'merge-base-easy-graph': {
    about: 'the same with a commit-graph',
    answer: 'bytes',
    pair: 'easy',
    repository: 'graph',
  },
  'merge-base-hard': { about: 'of an old commit and HEAD', answer: 'bytes', pair: 'hard' },
  'merge-base-hard-graph': {
    about: 'the same with a commit-graph',
    answer: 'bytes',
    pair: 'hard',
    repository: 'graph',
  },
  refs: {
    about: 'the names and ids of 100,000 branches, 5 for each request',
    answer: 'bytes',
    repository: 'branches',
  },
  available: {
    about: 'whether 10,000 branches can be created beside 100,000',
    answer: 'bytes',
    repository: 'branches',
    newBranches: true,
  },
  'refs-reftable': {
    about: 'the same names and ids, in a reftable',
    answer: 'bytes',
    repository: 'tables',
  },
  'available-reftable': {
    about: 'whether the same branches can be created beside those in a reftable',
    answer: 'bytes',
    repository: 'tables',
    newBranches: true,
  },
  'index-pack': { about: 'makes the index of the largest pack', answer: 'bytes' },
}

/** Jobs that compare packlens with itself; they run only when named. */
export const apart = {
  'hand-over': {
    about: 'how objects are delivered to JavaScript, in Node and in Chromium',
    run: async (options) => (await import('./hand-over/run.mjs')).handOver(options),
  },
  'chunk-sizes': {
    about: 'streams and frames by the size of their chunks; writes docs/chunk-sizes.md',
    run: async ({ rounds }) => {
      await runNode(inRoot('scripts', 'sweep-chunks.mjs'), ['--rounds', `${rounds}`])
    },
  },
}
