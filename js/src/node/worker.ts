/** The script of the worker in Node. */
import { parentPort } from 'node:worker_threads'
import { serve } from '../worker/server.js'
import type { RepoSource } from './platform.js'
import { offerBeside, storeFor } from './platform.js'

const port = parentPort
if (port) {
  const receive = serve(
    { post: (message, transfer) => port.postMessage(message, transfer as readonly never[]) },
    {
      offerBeside,
      storeFor: (source, options) => storeFor(source as RepoSource, options),
    },
  )
  port.on('message', receive)
  port.on('messageerror', (error) => {
    // The question that threw is unknown, so an uncaught error fails all pending ones.
    throw error
  })
}
