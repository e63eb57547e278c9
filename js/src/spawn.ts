/** Starts the worker in a browser. */

import { scriptFailure } from './session/load-failure.js'
import type { Events, WorkerHandle } from './worker/connection.js'
import { scriptForWorkers } from './worker/script.js'
import type { LockMessage } from './worker/worker.js'
import { scriptBeside, workerBeside } from './worker-beside.js'

let started = 0

/** Starts a worker. */
export function spawn(events: Events): WorkerHandle {
  const given = scriptForWorkers()
  const worker = given ? new Worker(given, { type: 'module' }) : workerBeside()
  const lock = `packlens ${++started} ${Math.random()}`
  let ended = false
  const died = (why: unknown) => {
    if (!ended) events.died(why)
    ended = true
  }
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if ((data as LockMessage | null)?.lock === lock) whenFree(lock, () => died(undefined))
    else events.message(data)
  })
  worker.addEventListener('error', (event) => {
    // The waiting calls fail with this error, so the page must not report it again.
    event.preventDefault()
    const why = event.error ?? event.message
    // The event of a script that does not load has no message.
    if (why) died(why)
    else scriptFailure(`${given ?? scriptBeside()}`, event).then(died)
  })
  worker.addEventListener('messageerror', () => died('a message could not be read'))
  const message: LockMessage = { lock }
  worker.postMessage(message)
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    hold: () => {},
    release: () => {},
    end: () => {
      ended = true
      worker.terminate()
    },
  }
}

/** Calls `then` when a worker is gone, which no event reports: its lock becomes free then. */
function whenFree(lock: string, then: () => void): void {
  navigator.locks.request(lock, then).catch(() => {})
}
