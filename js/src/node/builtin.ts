/**
 * Gives Node's modules without importing them: if an ES module imports `node:fs`, Node loads
 * all of its exports at startup, promises and streams included.
 */
export const fs = process.getBuiltinModule('node:fs')

/** Loads `node:worker_threads`, which only callers that start a worker need. */
export function workerThreads() {
  return process.getBuiltinModule('node:worker_threads')
}
