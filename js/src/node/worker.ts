/** The script of the worker in Node. */
import { parentPort } from 'node:worker_threads'
import { loadCore } from '../core.js'
import { serve } from '../worker/server.js'
import type { RepoSource } from './platform.js'
import { loadBeside, storeFor } from './platform.js'

const port = parentPort
if (port) {
  const take = serve(
    { post: (message, transfer) => port.postMessage(message, transfer as readonly never[]) },
    {
      load: (module) => (module === undefined ? loadBeside() : loadCore(module)),
      storeFor: (source, options) => storeFor(source as RepoSource, options),
    },
  )
  port.on('message', take)
  port.on('messageerror', (error) => {
    // It is unknown which question this was: an uncaught error fails all pending ones.
    throw error
  })
}
