/** Starts the worker in a browser. */
import { scriptFailure } from './load-failure.js'
import type { Events, Started } from './worker/connection.js'
import { scriptForWorkers } from './worker/script.js'
import type { LockMessage } from './worker/worker.js'

let started = 0

/** Bundlers know this form: they bundle the worker as well, and its module. */
export function spawn(events: Events): Started {
  const given = scriptForWorkers()
  const worker = given
    ? new Worker(given, { type: 'module' })
    : new Worker(new URL('./packlens-worker.js', import.meta.url), { type: 'module' })
  const lock = `packlens ${++started} ${Math.random()}`
  let over = false
  const died = (why: unknown) => {
    if (!over) events.died(why)
    over = true
  }
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if ((data as LockMessage | null)?.lock === lock) whenFree(lock, () => died(undefined))
    else events.message(data)
  })
  worker.addEventListener('error', (event) => {
    // Who waits is told: the page need not report it as well.
    event.preventDefault()
    const why = event.error ?? event.message
    // A script that does not load says nothing.
    if (why) died(why)
    else scriptFailure(`${given ?? besideScript()}`, event).then(died)
  })
  worker.addEventListener('messageerror', () => died('a message could not be read'))
  const message: LockMessage = { lock }
  worker.postMessage(message)
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    hold: () => {},
    release: () => {},
    end: () => {
      over = true
      worker.terminate()
    },
  }
}

/** Where the script of the worker is unless a bundler moves both. */
function besideScript(): URL {
  const here = import.meta.url
  return new URL('packlens-worker.js', here)
}

/** No event tells that a worker is gone; the lock that it holds tells. */
function whenFree(lock: string, then: () => void): void {
  navigator.locks.request(lock, then).catch(() => {})
}
