// Runs the chosen steps, in lanes that run beside each other, and prints a summary.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { inspect } from 'node:util'
import { printedTo, say } from './output.mjs'
import { inRoot } from './paths.mjs'
import { heading, seconds, summary } from './report.mjs'
import { Failure } from './shell.mjs'
import { steps } from './steps.mjs'

/**
 * Runs the steps with these names and the steps that they need; without names all of them.
 * Arguments after one name select some of its tests. With `quick`, steps with tests run
 * only those that take seconds.
 */
export async function runSteps(args, { quick = false } = {}) {
  const { names, only } = parted(args)
  const chosen = chosenSteps(names)
  const list = steps.filter(({ name }) => chosen.has(name))
  const how = (step) => ({ chosen, only: names.includes(step.name) ? only : [], quick })
  // A step with the terminal prints directly; output of those beside it is printed between two.
  const printed = []
  const flush = () => printed.splice(0).forEach((file) => void say(readFileSync(file, 'utf8')))
  const runOne = async (step, isBeside) => {
    if (!isBeside) return runStep(step, how(step)).finally(flush)
    const file = inRoot('target', 'tests', `${step.name}.txt`)
    say(`\n${step.name} begins beside this, and what it prints comes after it`)
    return printedTo(file, () => runStep(step, how(step))).finally(() => printed.push(file))
  }
  const rows = await inLanes(list, runOne, availableParallelism() > 1)
  flush()
  summary(rows)
  return rows.every((row) => row.result === 'passed')
}

/**
 * Runs steps, each after those that it needs, and returns their rows in order. With
 * `hasTwo`, the steps of a `lane` run one after the other, beside those of other lanes and those
 * without one: the compiler uses one core for minutes, and tests of browsers and of processes wait.
 */
export async function inLanes(list, runOne, hasTwo) {
  const rows = new Map()
  const newest = new Map()
  for (const step of list) {
    const isBeside = hasTwo && step.lane !== undefined && hasOthers(list, step)
    const lane = isBeside ? step.lane : undefined
    const needed = list.filter(({ name }) => rows.has(name) && isNeeded(step, name))
    const before = [newest.get(lane), ...needed.map(({ name }) => rows.get(name))]
    const row = Promise.all(before).then(([, ...ended]) => {
      const unmet = ended.find(({ result }) => result !== 'passed')
      return unmet ? notRun(step, unmet.name) : runOne(step, isBeside)
    })
    newest.set(lane, row)
    rows.set(step.name, row)
  }
  return Promise.all(rows.values())
}

/** True if a step can run beside one of another lane: only then is its output printed later. */
function hasOthers(list, step) {
  const before = neededBy(list, step)
  return list.some((other) => other.lane !== step.lane && !before.has(other.name))
}

/** The names of the steps that a step needs, and of those that these need. */
function neededBy(list, step) {
  const needed = list.filter(({ name }) => isNeeded(step, name) && name !== step.name)
  return new Set(needed.flatMap((need) => [need.name, ...neededBy(list, need)]))
}

export function listSteps() {
  for (const { name, about } of steps) console.log(`${name.padEnd(14)}${about}`)
}

/** Splits the arguments into the names of steps and the selected tests. */
export function parted(args) {
  const known = new Set(steps.map(({ name }) => name))
  const at = args.findIndex((arg) => !known.has(arg))
  if (at <= 0) return { names: args, only: [] }
  const names = args.slice(0, at)
  const [name, another] = names
  if (another !== undefined || !steps.find((step) => step.name === name).filters) {
    const able = steps.filter(({ filters }) => filters).map((step) => step.name)
    const what = `'${args[at]}' is no step; tests are named after one of ${able.join(', ')}`
    throw new Failure(`${what}: see npm test -- --list`)
  }
  return { names, only: args.slice(at) }
}

/** Returns the names of the steps that run: those named, or all but those apart, and what they need. */
export function chosenSteps(names) {
  const usual = steps.filter(({ apart }) => !apart).map(({ name }) => name)
  const chosen = new Set(['set-up'])
  const add = (name) => {
    const step = steps.find((candidate) => candidate.name === name)
    if (!step) throw new Failure(`there is no step '${name}': see npm test -- --list`)
    chosen.add(name)
    for (const need of step.needs ?? []) add(need)
  }
  for (const name of names.length > 0 ? names : usual) add(name)
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
    say(`${step.name} passed in ${seconds(start)}`)
    return { name: step.name, result: 'passed', time: seconds(start) }
  } catch (error) {
    say(error instanceof Failure ? error.message : inspect(error))
    say(`${step.name} FAILED after ${seconds(start)}`)
    const failed = error instanceof Failure ? error.cause : undefined
    return { name: step.name, result: 'failed', time: seconds(start), failed }
  }
}
