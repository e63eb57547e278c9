/** Reports progress to the caller. */
import { ofCaller } from './failed.js'

/**
 * The progress of a call. Phase `index`: steps of indexing or checking a pack, also of a pack
 * without an index when it is opened. Phase `receive`: bytes of a pack from a stream; `total`
 * is 0, because the size is unknown.
 */
export interface OpenProgress {
  readonly phase: 'index' | 'receive'
  readonly done: number
  readonly total: number
}

/** Returns a function that reports progress of the phase `index` to `onProgress`. */
export function reportTo({
  onProgress,
}: {
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined
}): (done: number, total: number) => void {
  const report = ofCaller('onProgress', onProgress)
  return (done, total) => report({ phase: 'index', done, total })
}
