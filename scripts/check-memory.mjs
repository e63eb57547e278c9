#!/usr/bin/env node
// Reads all objects of a repository, then some at random, and fails if that took
// more memory than allowed: by the counter, or by the size of the instance.
//
//   npm run check:memory -- --git-dir DIR [--memory MIB] [--reads N] [--seed N]
import { parseArgs } from 'node:util'
import { openSync } from 'packlens'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    memory: { type: 'string', default: '64' },
    reads: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
})
const gitDir = values['git-dir']
if (!gitDir) {
  const options = '--git-dir DIR [--memory MIB] [--reads N] [--seed N]'
  console.error(`usage: npm run check:memory -- ${options}`)
  process.exit(2)
}
const memory = Number(values.memory) << 20
/** The number of objects between two lines of progress. */
const TOLD = 100_000

const empty = openSync({ packs: [] })
const { instanceMemory: before } = empty.stats()
empty.close()

const repo = openSync(gitDir, { memory })
const rows = []
const oids = timed('all objects, unordered', readAll)
const reads = Number(values.reads)
const half = Math.ceil(reads / 2)
const random = numbersFrom(Number(values.seed))
timed(`${half} reads at random`, () => readAtRandom(half))
timed(`${reads - half} more`, () => readAtRandom(reads - half))
console.table(rows)
const over = rows.some((row) => row['high water'] > memory || row.instance > memory)
console.log(`${over ? 'OVER' : 'within'} the ceiling of ${memory} bytes`)
process.exitCode = over ? 1 : 0

/** Prints the time, and the most memory that was used. */
function timed(what, run) {
  const started = performance.now()
  const result = run()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const { memoryHighWater, instanceMemory, objects } = repo.stats()
  const instance = instanceMemory - before
  rows.push({ what, objects, 'high water': memoryHighWater, instance, seconds })
  console.error(`${what}: ${seconds} s`)
  return result
}

function readAll() {
  const oids = []
  for (const row of repo.objects({ unordered: true })) {
    if (row.type === 'failed') throw row.error
    if (row.more) continue
    if (oids.push(row.oid) % TOLD === 0) console.error(`  ${oids.length} objects`)
  }
  return oids
}

function readAtRandom(count) {
  for (let at = 1; at <= count; at++) {
    repo.read(oids[Math.floor(random() * oids.length)])
    if (at % TOLD === 0) console.error(`  ${at} reads`)
  }
}

/** Returns numbers from 0 up to 1, the same for the same seed. */
function numbersFrom(seed) {
  let state = seed
  return () => {
    // A linear congruence modulo 2^32; the high bits, which count here, are good.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
