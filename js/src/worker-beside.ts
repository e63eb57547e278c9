/** Finds the worker's script beside that of the package. */

/** Starts a worker. Bundlers recognise this form of `new Worker`: they bundle the script too. */
export function workerBeside(): Worker {
  return new Worker(new URL('./packlens-worker.js', import.meta.url), { type: 'module' })
}

/** Returns the URL of the worker's script, unless a bundler moved it. */
export function scriptBeside(): URL {
  const here = import.meta.url
  return new URL('packlens-worker.js', here)
}
