/**
 * Makes every call on repositories, one after the other, and prints a line of JSON with the outcomes
 * for each. Runs in a process of its own, so that a hanging one can be ended.
 *
 *   node ask-all.mjs ENTRY thread|worker MEMORY KNOWN_ID FOLDER...
 */
import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { askAll } from './calls.mjs'

const [entry, mode, memory, known, ...folders] = process.argv.slice(2)
const packlens = await import(pathToFileURL(entry).href)

const options = { memory: Number(memory), ...(mode === 'worker' && { worker: true }) }
// A worker's instance shares nothing with others.
let before = 0
if (mode !== 'worker') {
  const empty = packlens.openSync({ packs: [] })
  before = empty.stats().instanceMemory
  empty.close()
}
for (const folder of folders) {
  const asked = await askAll(packlens, () => packlens.open(folder, options), known, before)
  await sleep(0)
  writeSync(1, `${JSON.stringify({ folder, ...asked })}\n`)
}
