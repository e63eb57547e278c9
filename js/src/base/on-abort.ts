/** Callbacks for an abort: a signal has one listener for all of them. */

type Callbacks = Set<{ readonly call: () => void }>

interface Watched {
  readonly callbacks: Callbacks
  readonly listener: () => void
}

const watched = new WeakMap<AbortSignal, Watched>()

/**
 * Calls `call` when a signal is aborted, not if it was aborted before. Returns a function
 * that removes the callback.
 *
 * One call of the API may wait for hundreds of reads, each of which an abort has to end. If
 * each added a listener to the signal, Node would warn of a leak.
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
      // A callback may have removed another one.
      if (callbacks.has(callback)) callback.call()
    }
  }
  const made = { callbacks, listener }
  watched.set(signal, made)
  signal.addEventListener('abort', listener)
  return made
}
