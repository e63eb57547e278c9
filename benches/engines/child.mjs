// The process in which an engine written in JavaScript does a job:
//
//   node child.mjs MODULE TASK [--inside]
//
// MODULE exports `start`, which returns the job of a task; TASK is JSON. `--inside`
// prints the figures of a second run inside the process.
import { Output, Tally } from './deliver.mjs'

const [module, json, inside] = process.argv.slice(2)
const task = JSON.parse(json)
const engine = await import(module)
const job = await engine.start(task)

if (process.env.BENCH_CHECK) {
  const output = new Output()
  await job(output)
  output.flush()
} else {
  const warm = inside ? await runOnce() : undefined
  const { cpu, call, tally } = await runOnce()
  const own = warm ? { cpu } : {}
  // An import would load more of Node than a reader needs, and count in the time.
  const { writeFileSync } = process.getBuiltinModule('node:fs')
  writeFileSync(process.env.BENCH_REPORT, JSON.stringify({ ...own, call, delivered: tally }))
}

/** Returns the CPU time of all threads of the process, and how long the job took, in seconds. */
async function runOnce() {
  const before = process.cpuUsage()
  const begun = performance.now()
  const tally = new Tally()
  await job(tally)
  const call = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1e6, call, tally }
}
