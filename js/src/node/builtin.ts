/**
 * Node's own modules, without importing them: an ES module that imports `node:fs` has
 * Node load all that it exports, promises and streams too, before anything is read.
 */
export const fs = process.getBuiltinModule('node:fs')

/** What only those need who start a worker. */
export function workerThreads() {
  return process.getBuiltinModule('node:worker_threads')
}
