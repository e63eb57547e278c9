// Runs one job: checks every contender, then times all in turn.
import { createReadStream } from 'node:fs'
import { answers } from './digest.mjs'
import { run } from './measure.mjs'
import { spread } from './spread.mjs'

/**
 * Returns the contenders of all engines for a job, git's first, as
 * `{ id, engine, command, … }`; and why others are missing.
 */
export function contendersFor(name, task, engines) {
  const there = []
  const missing = []
  for (const engine of engines) {
    for (const one of [engine.jobs[name]?.(task) ?? []].flat()) {
      const id = one.variant ? `${engine.name}, ${one.variant}` : engine.name
      if (one.missing) missing.push(`${id}: ${one.missing}`)
      else there.push({ ...one, engine: engine.name, id })
    }
  }
  return { there, missing }
}

/**
 * Runs each contender once, untimed, and compares its answer with that of the first
 * one, git's. Returns the right ones, and the errors of the others.
 */
export async function check(job, contenders, settings) {
  const right = []
  const wrong = []
  let expected
  const known = new Set()
  for (const contender of contenders) {
    const command = JSON.stringify(contender.command)
    if (contender.answersNothing || known.has(command)) {
      right.push(contender)
      continue
    }
    let answer
    try {
      answer = await answerOf(contender, job, settings)
    } catch (error) {
      wrong.push(`${contender.id}: ${error.message}`)
      // Without git's answer nothing can be compared.
      if (!expected) break
      continue
    }
    expected ??= answer
    const which = job.anyOrder || contender.anyOrder ? 'anyOrder' : 'digest'
    if (answer[which] === expected[which]) {
      known.add(command)
      right.push(contender)
    } else
      wrong.push(
        `${contender.id}: ${reported(answer)}, where ${contenders[0].id} has ${reported(expected)}`,
      )
  }
  return { right, wrong, expected }
}

async function answerOf(contender, job, settings) {
  const digest = answers[job.answer]()
  if (!contender.file) {
    await run(contender, { ...settings, digest })
    return digest.result()
  }
  await run(contender, settings)
  for await (const chunk of createReadStream(contender.file)) digest.write(chunk)
  return digest.result()
}

function reported({ digest, objects, bytes }) {
  const counted = objects === undefined ? '' : `${objects} objects, `
  return `${counted}${bytes} bytes, ${digest.slice(0, 12)}`
}

/**
 * Times the contenders, one after the other, `rounds` times; each round begins with another
 * one. A run whose delivery differs from the check is an error.
 */
export async function time(
  job,
  contenders,
  { rounds, expected, progress = () => {}, ...settings },
) {
  const taken = new Map(contenders.map(({ id }) => [id, []]))
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < contenders.length; at++) {
      const contender = contenders[(round + at) % contenders.length]
      taken.get(contender.id).push(await timeOnce(job, contender, { expected, ...settings }))
    }
    progress(round + 1)
  }
  const [first] = contenders
  return contenders.map((contender) => {
    const runs = taken.get(contender.id)
    const git = taken.get(first.id)
    return {
      id: contender.id,
      engine: contender.engine,
      ceiling: contender.ceiling,
      cpu: spread(runs.map(({ cpu }) => cpu)),
      wall: spread(runs.map(({ wall }) => wall)),
      peak: Math.max(...runs.map(({ peak }) => peak)),
      // By round, so that a disturbance that affected both is cancelled.
      ratio: spread(runs.map(({ cpu }, round) => cpu / git[round].cpu)),
      rounds: runs.map(({ cpu }) => cpu),
      isSecond: contender.inside === true,
      // How long the job took inside a process, without the start of that.
      ...(job.calls && runs[0].call !== undefined && { calls: runs.map(({ call }) => call) }),
    }
  })
}

async function timeOnce({ repeat = 1 }, contender, { expected, ...settings }) {
  const total = { cpu: 0, wall: 0, peak: 0 }
  for (let at = 0; at < repeat; at++) {
    const { cpu, wall, peak, delivered, call } = await run(contender, settings)
    if (delivered) {
      const { objects, bytes } = delivered
      if (bytes !== expected.bytes || (expected.objects && objects !== expected.objects)) {
        throw new Error(`${contender.id} delivered ${objects} objects, ${bytes} bytes when timed`)
      }
    }
    total.cpu += cpu / repeat
    total.wall += wall / repeat
    if (call !== undefined) total.call = (total.call ?? 0) + call / repeat
    total.peak = Math.max(total.peak, peak)
  }
  return total
}
