/** Exports for opening with workers in Node: see `../chunks/workers.ts`. */

export { WorkerPool } from '../engine/worker-pool.js'
export { openEngineInWorker } from '../worker/open.js'
export { spawn } from './spawn.js'
