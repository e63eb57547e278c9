/** Opens a repository in a worker. */
import type { OpenOptions } from '../opening/open.js'
import { sessionOptions } from '../opening/open.js'
import { reportTo } from '../source/progress.js'
import type { Opening } from './client.js'
import { WorkerEngine } from './client.js'

/** A source, and how the platform opens it. */
export interface PlatformOpening extends Pick<Opening, 'store' | 'modules' | 'spawn'> {
  readonly source: unknown
}

export function openEngineInWorker(
  platformOpening: PlatformOpening,
  options: OpenOptions,
): Promise<WorkerEngine> {
  // Signals and functions cannot cross, and the options of workers are for this thread only.
  const { signal, onProgress: _, worker: __, workers: ___, ...ofSource } = options
  const opening: Opening = {
    ...platformOpening,
    source: [platformOpening.source, ofSource],
    options: sessionOptions(platformOpening.source, options),
  }
  return WorkerEngine.open(opening, { signal }, reportTo(options))
}
