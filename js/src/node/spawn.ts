/** Starts the worker in Node. */
import type { Events, Spawn, WorkerHandle } from '../worker/connection.js'
import { scriptForWorkers } from '../worker/script.js'
import { workerThreads } from './builtin.js'

export function spawn(events: Events): WorkerHandle {
  return startWorker(scriptForWorkers() ?? new URL('./packlens-worker.js', import.meta.url), events)
}

/** Returns a {@link spawn} for a script at another URL. */
export function spawnFrom(script: URL): Spawn {
  return (events) => startWorker(script, events)
}

function startWorker(script: URL, events: Events): WorkerHandle {
  // Flags of the process, such as `--input-type`, must not apply to this script.
  const options = { name: 'packlens', execArgv: [] }
  const { Worker } = workerThreads()
  const worker = new Worker(script, options)
  let ended = false
  const died = (why: unknown) => {
    if (!ended) events.died(why)
    ended = true
  }
  worker.on('message', events.message)
  worker.on('error', died)
  worker.on('messageerror', died)
  worker.on('exit', (code) => died(`it exited with code ${code}`))
  // An idle repository must not keep the process running.
  worker.unref()
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as readonly never[]),
    hold: () => worker.ref(),
    release: () => worker.unref(),
    end: () => {
      ended = true
      worker.terminate()
    },
  }
}
