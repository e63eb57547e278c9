/** Starts the worker in a browser. */
import type { Events, Started } from './connection.js'
import type { LockMessage } from './worker.js'

export { openEngineInWorker } from './open.js'

let started = 0

/** Bundlers know this form: they bundle the worker as well, and its module. */
export function spawn(events: Events): Started {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
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
    died(event.error ?? (event.message || 'its script could not be loaded'))
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

/** No event tells that a worker is gone; the lock that it holds tells. */
function whenFree(lock: string, then: () => void): void {
  navigator.locks.request(lock, then).catch(() => {})
}
