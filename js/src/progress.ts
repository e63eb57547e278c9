/** Telling how far something has come. */
import { ofCaller } from './source/failed.js'

/**
 * How far something has come: opening, where only a pack without an index takes time
 * (`index`), or taking in a pack that comes as a stream (`receive`: bytes, and 0 for
 * `total`, which nobody knows).
 */
export interface OpenProgress {
  readonly phase: 'index' | 'receive'
  readonly done: number
  readonly total: number
}

/** Returns what has a user's function told how far it has come. */
export function reportTo({
  onProgress,
}: {
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined
}): (done: number, total: number) => void {
  const report = ofCaller('onProgress', onProgress)
  return (done, total) => report({ phase: 'index', done, total })
}
