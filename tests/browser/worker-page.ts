/** The page's side of worker.ts. */
import type { Job } from './worker.ts'

let worker: Worker | undefined

/** Runs a job in the worker, which starts with the first one. */
export function inWorker(job: Job): Promise<unknown> {
  worker ??= new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  const { port1, port2 } = new MessageChannel()
  const done = new Promise((resolve, reject) => {
    port1.onmessage = ({ data }) => ('error' in data ? reject(data.error) : resolve(data.answer))
    worker?.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true })
  })
  worker.postMessage(job, [port2])
  return done
}
