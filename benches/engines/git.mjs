// C git, with which all others are compared.
import { outputOf } from '../../scripts/lib/shell.mjs'

export const name = 'git'

export function version() {
  return outputOf('git', ['--version']) ?? { missing: 'git is not installed' }
}

const all = ['cat-file', '--batch-all-objects', '--unordered', '--batch', '--buffer']
const batch = ['cat-file', '--batch', '--buffer']

/** The jobs: each returns the commands to compare for the job's task. */
export const jobs = {
  'first-blob': (task) => [git(task, ['cat-file', '-p', task.file])],
  commit: (task) => [git(task, ['log', '-1', '--format=%H%n%T%n%P%n%an%n%ae%n%at', 'HEAD'])],
  files: requests,
  'status-matrix': ({ worktree }) => [
    { command: ['git', '-C', worktree, 'diff-index', '--name-only', '-z', 'HEAD'] },
  ],
  'whole-pack': (task) => [git(task, all)],
  blobs: requests,
  mixed: requests,
  'one-by-one': (task) => [{ ...git(task, ['cat-file', '--batch']), dialogue: task.oids }],
  'ls-tree': (task) => [git(task, ['ls-tree', '-r', '-z', 'HEAD'])],
  'rev-list': (task) => [git(task, ['rev-list', 'HEAD'])],
  'rev-list-graph': (task) => [git(task, ['rev-list', 'HEAD'])],
  'rev-list-all': (task) => [git(task, ['rev-list', '--all'])],
  count: (task) => [git(task, ['rev-list', '--count', 'HEAD'])],
  'count-graph': (task) => [git(task, ['rev-list', '--count', 'HEAD'])],
  'merge-base-easy': mergeBase,
  'merge-base-easy-graph': mergeBase,
  'merge-base-hard': mergeBase,
  'merge-base-hard-graph': mergeBase,
  refs: (task) => [git(task, ['for-each-ref', '--format=%(objectname) %(refname)'])],
  available: (task) => [{ ...git(task, ['update-ref', '--stdin']), input: task.list }],
  'refs-reftable': (task) => inTables(task, jobs.refs),
  'available-reftable': (task) => inTables(task, jobs.available),
  'index-pack': indexPack,
}

/** git uses reftables if its version knows them, and files in any case. */
function inTables(task, contenders) {
  const files = contenders({ ...task, repository: task.files })
  const there = files.map((one) => ({ ...one, variant: 'over files' }))
  const isKnown = outputOf('git', ['--git-dir', task.repository, 'rev-parse', 'HEAD'])
  const missing = `${version()} knows no reftables`
  return [...(isKnown ? contenders(task) : [{ missing }]), ...there]
}

function git({ repository }, args) {
  return { command: ['git', '--git-dir', repository, ...args] }
}

function requests(task) {
  return [{ ...git(task, batch), input: task.list }]
}

function mergeBase(task) {
  return [git(task, ['merge-base', ...task.pair])]
}

/** The index is written to a file, which the check reads. */
function indexPack(task) {
  const of = (threads) => ({
    variant: threads === 1 ? 'one thread' : `${threads} threads`,
    command: ['git', 'index-pack', `--threads=${threads}`, '-o', task.scratch('idx'), task.pack],
    file: task.scratch('idx'),
  })
  return [of(1), of(2)]
}
