/** The script of the worker in a browser. */
import type { RepoSource } from '../platform.js'
import { offerBeside, storeFor } from '../platform.js'
import { serve } from './server.js'

/** Names a lock that the worker holds until it ends. */
export interface LockMessage {
  readonly lock: string
}

const scope = globalThis as unknown as DedicatedWorkerGlobalScope

interface DedicatedWorkerGlobalScope {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onmessageerror: (() => void) | null
  postMessage(message: unknown, transfer?: Transferable[]): void
}

const receive = serve(
  { post: (message, transfer) => scope.postMessage(message, [...transfer]) },
  {
    offerBeside,
    storeFor: (source, options) => storeFor(source as RepoSource, options),
  },
)

scope.onmessage = ({ data }) => {
  const lock = (data as LockMessage | null)?.lock
  if (typeof lock === 'string') holdLock(lock)
  else receive(data)
}

scope.onmessageerror = () => {
  // The question that threw is unknown, so an uncaught error fails all pending ones.
  throw new Error('a message could not be read')
}

/**
 * Holds a lock until the worker ends, so that the page detects any end of it. Pages that are
 * not secure contexts have no locks, and detect only ends that fire an event.
 */
function holdLock(lock: string): void {
  if (!navigator.locks) return
  navigator.locks.request(lock, () => {
    const message: LockMessage = { lock }
    scope.postMessage(message)
    return new Promise(() => {})
  })
}
