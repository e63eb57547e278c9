#!/usr/bin/env node
// Compares packlens with other readers: CPU, time and memory, job by job.
//
//   npm run bench -- --git-dir DIR [--jobs A,B] [--engines X,Y] [--runs N] …
import os from 'node:os'
import { inRoot } from '../scripts/lib/paths.mjs'
import { installInto } from '../scripts/lib/setup.mjs'
import { Failure } from '../scripts/lib/shell.mjs'
import { engines as allEngines } from './engines/index.mjs'
import { apart, jobs } from './jobs.mjs'
import { addVersion } from './lib/against.mjs'
import { check, contendersFor, time } from './lib/compare.mjs'
import { endRuns } from './lib/measure.mjs'
import { chosen, optionsOf } from './lib/options.mjs'
import { profileOf, shareText } from './lib/profile.mjs'
import { factsOf, writeRecord } from './lib/record.mjs'
import { buildSpent } from './lib/rust.mjs'
import { barsOf, tableOf, tableOfWall } from './lib/table.mjs'
import { makeWorkplace } from './lib/workplace.mjs'

let workplace
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.once(signal, () => {
    endRuns()
    workplace?.close()
    process.exit(code)
  })
}
try {
  await bench(optionsOf(process.argv.slice(2)))
} catch (error) {
  console.error(error instanceof Failure ? `\nbench: ${error.message}` : error)
  process.exitCode = 1
} finally {
  workplace?.close()
}

async function bench(options) {
  if (options.list) return list()
  const all = options.jobs ? { ...jobs, ...apart } : jobs
  const names = chosen(all, options.jobs, 'job')
  await installInto(inRoot('benches'))
  const spent = buildSpent()
  const { engines, versions } = await enginesFor(options)
  workplace = makeWorkplace(options.gitDir, { seed: options.seed, count: options.requests })
  const settings = {
    spent,
    folder: workplace.folder,
    limit: options.limit,
    profile: options.profile,
  }
  const record = { ...factsOf(options), versions, repository: workplace.facts, jobs: {}, wrong: [] }
  for (const name of names) {
    const rounds = options.runs
    if (apart[name]) {
      record.jobs[name] = await runApart(name, rounds)
      continue
    }
    const { rows, wrong } = await runJob(name, engines, { ...settings, rounds })
    record.wrong.push(...wrong)
    if (rows) record.jobs[name] = rows
  }
  const bars = options.runs > 0 ? barsOf(record) : []
  if (bars.length > 0) console.log(`\n${bars.join('\n')}`)
  if (options.record) console.log(`\nwrote ${writeRecord(record)}`)
  if (record.wrong.length > 0) {
    throw new Failure(`these answers are wrong:\n  ${record.wrong.join('\n  ')}`)
  }
}

async function runApart(name, rounds) {
  console.log(`\n== ${name}: ${apart[name].about}`)
  const rows = await apart[name].run({ rounds, ...(await workplace.task({})) })
  if (rows && rounds > 0) console.log(`\n${tableOfWall(rows)}`)
  return rows
}

async function runJob(name, engines, { rounds, ...settings }) {
  const job = jobs[name]
  console.log(`\n== ${name}: ${job.about}`)
  const { there, missing } = contendersFor(name, await workplace.task(job), engines)
  for (const line of missing) console.log(`  missing: ${line}`)
  const { right, wrong, expected } = await check(job, there, settings)
  for (const line of wrong) console.error(`  WRONG ANSWER: ${line}`)
  for (const { id } of right) console.log(`  right: ${id}`)
  const reported = wrong.map((line) => `${name}: ${line}`)
  if (settings.profile) {
    for (const contender of right.filter(({ ceiling, inside }) => ceiling && !inside)) {
      const shares = await profileOf(contender, settings)
      console.log(`  ${contender.id}: ${shares.map(shareText).join(', ')}`)
    }
  }
  if (rounds === 0 || right[0] !== there[0]) return { wrong: reported }
  const progress = (round) =>
    console.log(`  round ${round} of ${rounds}, load ${os.loadavg()[0].toFixed(1)}`)
  const rows = await time(job, right, { rounds, expected, progress, ...settings })
  console.log(`\n${tableOf(rows)}`)
  return { rows, wrong: reported }
}

/** Returns the available engines; reports and omits the others. */
async function enginesFor({ engines: names, against }) {
  const requested = chosen(allEngines, names && ['git', ...names], 'engine')
  const made = await Promise.all(requested.map((name) => allEngines[name]()))
  const previous = names && !names.includes('packlens') ? null : await addVersion(against)
  if (previous) made.push(previous)
  const versions = {}
  const engines = made.filter((engine) => {
    const version = engine.version()
    if (version.missing) console.log(`${engine.name} is missing: ${version.missing}`)
    else versions[engine.name] = version
    return !version.missing
  })
  if (engines[0]?.name !== 'git') throw new Failure('all are compared with git: install it')
  return { engines, versions }
}

function list() {
  for (const [name, { about }] of Object.entries({ ...jobs, ...apart }))
    console.log(`${name.padEnd(24)}${about}`)
  console.log(`\nengines: ${Object.keys(allEngines).join(', ')}`)
}
