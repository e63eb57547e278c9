/** Exports for opening with workers, loaded with the first repository that has any. */

export { WorkerPool } from '../engine/worker-pool.js'
export { spawn } from '../spawn.js'
export { openEngineInWorker } from '../worker/open.js'
