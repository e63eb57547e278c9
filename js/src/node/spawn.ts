/** Starts the worker in Node. */
import type { Events, Spawn, Started } from '../worker/connection.js'
import { scriptForWorkers } from '../worker/script.js'
import { workerThreads } from './builtin.js'

export function spawn(events: Events): Started {
  return started(scriptForWorkers() ?? new URL('./packlens-worker.js', import.meta.url), events)
}

/** As {@link spawn}, of a script that lies elsewhere. */
export function spawnFrom(script: URL): Spawn {
  return (events) => started(script, events)
}

function started(script: URL, events: Events): Started {
  // Flags of the process, such as `--input-type`, are not for this script.
  const options = { name: 'packlens', execArgv: [] }
  const { Worker } = workerThreads()
  const worker = new Worker(script, options)
  let over = false
  const died = (why: unknown) => {
    if (!over) events.died(why)
    over = true
  }
  worker.on('message', events.message)
  worker.on('error', died)
  worker.on('messageerror', died)
  worker.on('exit', (code) => died(`it exited with code ${code}`))
  // An idle repository does not keep the process from ending.
  worker.unref()
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as readonly never[]),
    hold: () => worker.ref(),
    release: () => worker.unref(),
    end: () => {
      over = true
      worker.terminate()
    },
  }
}
