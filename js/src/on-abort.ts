/** Callbacks of a signal: it has one listener, however many callbacks there are. */

type Callbacks = Set<{ readonly call: () => void }>

interface Watched {
  readonly callbacks: Callbacks
  readonly listener: () => void
}

const watched = new WeakMap<AbortSignal, Watched>()

/**
 * Calls `call` when a signal is aborted, not if it was aborted before. Returns what
 * takes that back.
 *
 * One call of the API may wait for hundreds of reads, each of which ends with the
 * caller's signal. A listener for each of them makes Node warn of a leak.
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): () => void {
  if (!signal) return () => {}
  const { callbacks, listener } = watched.get(signal) ?? watch(signal)
  const callback = { call }
  callbacks.add(callback)
  return () => {
    if (!callbacks.delete(callback) || callbacks.size > 0) return
    signal.removeEventListener('abort', listener)
    watched.delete(signal)
  }
}

function watch(signal: AbortSignal): Watched {
  const callbacks: Callbacks = new Set()
  const listener = () => {
    for (const callback of [...callbacks]) {
      // One of them may have taken another one back.
      if (callbacks.has(callback)) callback.call()
    }
  }
  const made = { callbacks, listener }
  watched.set(signal, made)
  signal.addEventListener('abort', listener)
  return made
}
