/** Exports for opening with workers, loaded with the first repository that has any. */
export { spawn } from './spawn.js'
export { openEngineInWorker } from './worker/open.js'
export { WorkerPool } from './worker-pool.js'
