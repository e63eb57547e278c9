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
import { inShape, shapes } from './lib/shapes.mjs'
import { barsOf, callsOf, tableOf, tableOfWall } from './lib/table.mjs'
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
  const inShapes = options.shapes ? chosen(shapes, options.shapes, 'shape') : ['served']
  await installInto(inRoot('benches'))
  const spent = buildSpent()
  const { engines, versions } = await enginesFor(options)
  const records = []
  for (const shape of inShapes) {
    if (options.shapes) console.log(`\n# ${shape}: ${shapes[shape].about}`)
    const gitDir = await inShape(options.gitDir, shape)
    workplace = makeWorkplace(gitDir, { seed: options.seed, count: options.requests })
    const facts = { ...factsOf(options, shape), versions, repository: workplace.facts }
    records.push(await recordOf(facts, names, engines, { ...options, spent }))
    workplace.close()
    workplace = undefined
    if (options.record) console.log(`\nwrote ${writeRecord(records.at(-1))}`)
  }
  const bars = options.runs > 0 ? barsOf(records) : []
  if (bars.length > 0) console.log(`\n${bars.join('\n')}`)
  const wrong = records.flatMap((record) => record.wrong)
  if (wrong.length > 0) throw new Failure(`these answers are wrong:\n  ${wrong.join('\n  ')}`)
}

/** Runs the jobs in the workplace; returns the record of it. */
async function recordOf(facts, names, engines, { runs: rounds, limit, profile, spent }) {
  const settings = { spent, folder: workplace.folder, limit, profile }
  const record = { ...facts, jobs: {}, wrong: [] }
  for (const name of names) {
    if (apart[name]) {
      record.jobs[name] = await runApart(name, rounds)
      continue
    }
    const { rows, wrong } = await runJob(name, engines, { ...settings, rounds })
    record.wrong.push(...wrong)
    if (rows) record.jobs[name] = rows
  }
  return record
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
  console.log(`\n${[tableOf(rows), ...callsOf(rows)].join('\n')}`)
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
  const print = (table) => {
    for (const [name, { about }] of Object.entries(table)) {
      console.log(`${name.padEnd(24)}${about}`)
    }
  }
  print({ ...jobs, ...apart })
  console.log('\nshapes of packs:')
  print(shapes)
  console.log(`\nengines: ${Object.keys(allEngines).join(', ')}`)
}
