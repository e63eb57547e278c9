// The output of a job: this terminal, or a file while another job has the terminal.
import { AsyncLocalStorage } from 'node:async_hooks'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'

const descriptors = new AsyncLocalStorage()

/** Runs a job whose output, and that of its programs, goes to a file. */
export async function printedTo(file, job) {
  mkdirSync(path.dirname(file), { recursive: true })
  const descriptor = openSync(file, 'w')
  try {
    return await descriptors.run(descriptor, job)
  } finally {
    closeSync(descriptor)
  }
}

/** Prints a line to the output of the current job. */
export function say(line) {
  const descriptor = descriptors.getStore()
  if (descriptor === undefined) console.log(line)
  else writeSync(descriptor, `${line}\n`)
}

/** Returns the `stdio` of a program of such a job. */
export function stdio() {
  const descriptor = descriptors.getStore()
  return descriptor === undefined ? 'inherit' : ['ignore', descriptor, descriptor]
}
