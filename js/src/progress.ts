/** Telling how far something has come. */

/** How far opening has come: only a pack without an index takes time. */
export interface OpenProgress {
  readonly phase: 'index'
  readonly done: number
  readonly total: number
}

/** Returns what has a user's function told how far it has come. */
export function reportTo({
  onProgress,
}: {
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined
}): (done: number, total: number) => void {
  return (done, total) => onProgress?.({ phase: 'index', done, total })
}
