/** Exports for opening with workers in Node: see `../workers.ts`. */
export { openEngineInWorker } from '../worker/open.js'
export { WorkerPool } from '../worker-pool.js'
export { spawn } from './spawn.js'
