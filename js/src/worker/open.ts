/** Opens a repository in a worker. */
import type { OpenOptions } from '../open.js'
import { sessionOptions } from '../open.js'
import { reportTo } from '../progress.js'
import type { Opening } from './client.js'
import { WorkerEngine } from './client.js'

/** What is opened, and what a platform does about it. */
export interface OpeningHere extends Pick<Opening, 'store' | 'module' | 'spawn'> {
  readonly source: unknown
}

export function openEngineInWorker(here: OpeningHere, options: OpenOptions): Promise<WorkerEngine> {
  // Functions, and what is for this thread only, have no business over there.
  const { signal, onProgress: _, worker: __, workers: ___, ...ofSource } = options
  const opening: Opening = {
    ...here,
    source: [here.source, ofSource],
    options: sessionOptions(here.source, options),
  }
  return WorkerEngine.open(opening, { signal }, reportTo(options))
}
