/**
 * Makes every call on a repository, and prints the outcome of each. Runs in a process of
 * its own, so that a hanging one can be ended.
 *
 *   node ask-all.mjs ENTRY FOLDER thread|worker MEMORY KNOWN_ID
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { askAll } from './calls.mjs'

const [entry, folder, mode, memory, known] = process.argv.slice(2)
const packlens = await import(pathToFileURL(entry).href)

const options = { memory: Number(memory), ...(mode === 'worker' && { worker: true }) }
// A worker's instance shares nothing with others.
let before = 0
if (mode !== 'worker') {
  const empty = packlens.openSync({ packs: [] })
  before = empty.stats().instanceMemory
  empty.close()
}
const asked = await askAll(packlens, () => packlens.open(folder, options), known, before)
await sleep(0)
console.log(JSON.stringify(asked))
