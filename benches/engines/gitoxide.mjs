// gitoxide, natively: the program of benches/gitoxide, on one thread.
import { readFileSync } from 'node:fs'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { buildRust } from '../lib/rust.mjs'

export const name = 'gitoxide'

let program

/** Builds the program, which takes a minute the first time. */
export function version() {
  const built = buildRust('gitoxide', 'gitoxide-bench')
  if (!built.program) return { missing: `it was not built: ${built.reason}` }
  program = built.program
  const lock = readFileSync(inRoot('benches', 'gitoxide', 'Cargo.lock'), 'utf8')
  return `gix ${/name = "gix"\nversion = "(.*?)"/.exec(lock)[1]}`
}

export const jobs = {
  'first-blob': (task) => gitoxide('first-blob', task, task.file),
  'whole-pack': (task) => gitoxide('whole-pack', task),
  blobs: (task) => gitoxide('requests', task, task.list),
  mixed: (task) => gitoxide('requests', task, task.list),
  'ls-tree': (task) => gitoxide('ls-tree', task),
  'rev-list': (task) => gitoxide('rev-list', task),
  'rev-list-graph': (task) => gitoxide('rev-list', task),
  count: (task) => gitoxide('count', task),
  'count-graph': (task) => gitoxide('count', task),
  'merge-base-easy': (task) => gitoxide('merge-base', task, ...task.pair),
  'merge-base-easy-graph': (task) => gitoxide('merge-base', task, ...task.pair),
  'merge-base-hard': (task) => gitoxide('merge-base', task, ...task.pair),
  'merge-base-hard-graph': (task) => gitoxide('merge-base', task, ...task.pair),
  'index-pack': (task) => gitoxide('index-pack', task, task.pack, task.scratch('gitoxide')),
}

function gitoxide(job, task, ...args) {
  return [{ command: [program, job, task.repository, ...args] }]
}
