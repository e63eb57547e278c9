// C git: the measure of all others.
import { outputOf } from '../../scripts/lib/shell.mjs'

export const name = 'git'

export function version() {
  return outputOf('git', ['--version']) ?? { missing: 'git is not installed' }
}

const all = ['cat-file', '--batch-all-objects', '--unordered', '--batch', '--buffer']
const batch = ['cat-file', '--batch', '--buffer']

/** How each job is done: given the job's task, a list of commands to compare. */
export const jobs = {
  'first-blob': (task) => [git(task, ['cat-file', '-p', task.file])],
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

/** As git does it where it knows reftables, and over files in any case. */
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

/** The index goes to a file; the check reads it. */
function indexPack(task) {
  const of = (threads) => ({
    variant: threads === 1 ? 'one thread' : `${threads} threads`,
    command: ['git', 'index-pack', `--threads=${threads}`, '-o', task.scratch('idx'), task.pack],
    file: task.scratch('idx'),
  })
  return [of(1), of(2)]
}
