// Where a job prints: to this terminal, or to a file while another job has the terminal.
import { AsyncLocalStorage } from 'node:async_hooks'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

const descriptors = new AsyncLocalStorage()

/** Has a job, and the programs that it runs, print to a file. */
export async function printedTo(file, job) {
  mkdirSync(path.dirname(file), { recursive: true })
  const descriptor = openSync(file, 'w')
  try {
    return await descriptors.run(descriptor, job)
  } finally {
    closeSync(descriptor)
  }
}

/** Prints a line where the job prints that this is called from. */
export function say(line) {
  const descriptor = descriptors.getStore()
  if (descriptor === undefined) console.log(line)
  else writeSync(descriptor, `${line}\n`)
}

/** The `stdio` of a program that such a job runs. */
export function stdio() {
  const descriptor = descriptors.getStore()
  return descriptor === undefined ? 'inherit' : ['ignore', descriptor, descriptor]
}
