/** Opens a repository in a worker. */
import type { OpenOptions } from '../open.js'
import { sessionOptions } from '../open.js'
import type { Opening } from './client.js'
import { WorkerEngine } from './client.js'

/** What is opened, and what a platform does about it. */
export interface OpeningHere extends Pick<Opening, 'store' | 'module' | 'spawn'> {
  readonly source: unknown
}

export function openEngineInWorker(here: OpeningHere, options: OpenOptions): Promise<WorkerEngine> {
  // Functions, and what is for this thread only, have no business over there.
  const { signal, onProgress, worker: _, workers: __, ...ofSource } = options
  const opening: Opening = {
    ...here,
    source: [here.source, ofSource],
    options: sessionOptions(here.source, options),
  }
  const report = (done: number, total: number) => onProgress?.({ phase: 'index', done, total })
  return WorkerEngine.open(opening, { signal }, report)
}
