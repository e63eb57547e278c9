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

/** What waits for the lock; `undefined` once messages are posted at once. */
let unsent: (() => void)[] | undefined

const receive = serve(
  {
    post(message, transfer) {
      const send = () => scope.postMessage(message, [...transfer])
      if (unsent) unsent.push(send)
      else send()
    },
  },
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
 * Holds a lock until the worker ends, so that the page detects any end of it. The page learns
 * of the lock before it gets any answer: a worker that answered would else end unnoticed if it
 * ended before it had the lock. Pages that are not secure contexts have no locks, and detect
 * only ends that fire an event.
 */
function holdLock(lock: string): void {
  if (!navigator.locks) return
  unsent = []
  const held = () => {
    const message: LockMessage = { lock }
    scope.postMessage(message)
    sendAll()
    return new Promise(() => {})
  }
  // Documents whose origin is opaque may not use locks.
  navigator.locks.request(lock, held).catch(sendAll)
}

function sendAll(): void {
  const waiting = unsent ?? []
  unsent = undefined
  for (const send of waiting) send()
}
