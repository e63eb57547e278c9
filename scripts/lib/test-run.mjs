// Runs the chosen steps one after the other and sums up.
import { heading, seconds, summary } from './report.mjs'
import { Failure } from './shell.mjs'
import { steps } from './steps.mjs'

/**
 * Runs the steps with these names and what they need; all of them when no name is given.
 * Arguments after one name select some of its tests. With `quick`, steps that have tests run
 * those that take seconds.
 */
export async function runSteps(args, { quick = false } = {}) {
  const { names, only } = parted(args)
  const chosen = withNeeds(names.length > 0 ? names : steps.map((step) => step.name))
  const rows = []
  for (const step of steps.filter(({ name }) => chosen.has(name))) {
    const unmet = rows.find((row) => row.result !== 'passed' && isNeeded(step, row.name))
    const tests = names.includes(step.name) ? only : []
    rows.push(
      unmet ? notRun(step, unmet.name) : await runStep(step, { chosen, only: tests, quick }),
    )
  }
  summary(rows)
  return rows.every((row) => row.result === 'passed')
}

export function listSteps() {
  for (const { name, about } of steps) console.log(`${name.padEnd(10)}${about}`)
}

/** Takes the names of steps and what tests are meant apart. */
export function parted(args) {
  const known = new Set(steps.map(({ name }) => name))
  const at = args.findIndex((arg) => !known.has(arg))
  if (at <= 0) return { names: args, only: [] }
  const names = args.slice(0, at)
  const [name, another] = names
  if (another !== undefined || !steps.find((step) => step.name === name).filters) {
    const able = steps.filter(({ filters }) => filters).map((step) => step.name)
    const what = `'${args[at]}' is no step; tests are named behind one of ${able.join(', ')}`
    throw new Failure(`${what}: see npm test -- --list`)
  }
  return { names, only: args.slice(at) }
}

function withNeeds(names) {
  const chosen = new Set(['set-up'])
  const add = (name) => {
    const step = steps.find((candidate) => candidate.name === name)
    if (!step) throw new Failure(`there is no step '${name}': see npm test -- --list`)
    chosen.add(name)
    for (const need of step.needs ?? []) add(need)
  }
  for (const name of names) add(name)
  return chosen
}

function isNeeded(step, name) {
  return name === 'set-up' || (step.needs ?? []).includes(name)
}

function notRun(step, need) {
  return { name: step.name, result: 'not run', time: '', why: `needs ${need}` }
}

async function runStep(step, how) {
  heading(step.name, step.about)
  const start = performance.now()
  try {
    await step.job(how)
    console.log(`${step.name} passed in ${seconds(start)}`)
    return { name: step.name, result: 'passed', time: seconds(start) }
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error)
    console.error(`${step.name} FAILED after ${seconds(start)}`)
    const failed = error instanceof Failure ? error.cause : undefined
    return { name: step.name, result: 'failed', time: seconds(start), failed }
  }
}
