#!/usr/bin/env node
// Compares how dates in words are parsed with git's answers: random dates at random times, in
// the zone that the variable TZ names.
//
//   npm run check:dates -- [--cases 20000] [--seed 1] [--git PATH]
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { secondsOfDate } from '../dist/node/cli/dates/loose-date.js'
import { randomFrom } from '../tests/fixtures/paths-history.mjs'
import { datesOf } from './lib/date-cases.mjs'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: 'git' },
    shown: { type: 'string', default: '20' },
  },
})

/** How many dates one git process answers. */
const BATCH = 500
process.env.TZ ??= 'Europe/Berlin'
const random = randomFrom(Number(values.seed))
let [compared, differences] = [0, 0]
while (compared < Number(values.cases)) {
  // From 2001 to 2033: all hours of a day, both sides of a change to summer time.
  process.env.GIT_TEST_DATE_NOW = String(1_000_000_000 + random(1_000_000_000))
  const dates = datesOf(random, BATCH)
  const expected = git(dates)
  for (const [at, date] of dates.entries()) {
    compared++
    const answer = secondsOfDate(date)
    // git's seconds have no sign.
    if (`${BigInt.asUintN(64, BigInt(answer))}` === expected[at]) continue
    differences++
    if (differences > Number(values.shown)) continue
    const now = process.env.GIT_TEST_DATE_NOW
    console.log(`now ${now}: ${JSON.stringify(date)}: git ${expected[at]}, packlens ${answer}`)
  }
}
console.log(`${compared} dates compared, ${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1

/** Returns the seconds that git takes dates for. */
function git(dates) {
  const asked = dates.map((date) => `--since=${date}`)
  const { stdout, stderr } = spawnSync(values.git, ['rev-parse', ...asked])
  const lines = `${stdout}`.split('\n').slice(0, -1)
  if (lines.length !== dates.length) throw new Error(`git answers ${lines.length}: ${stderr}`)
  return lines.map((line) => line.replace('--max-age=', ''))
}
