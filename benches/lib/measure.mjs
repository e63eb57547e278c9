// Runs one engine on one job as a process of its own.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { converse } from './converse.mjs'

const running = new Set()

/** Ends the running program, with all its children. */
export function endRuns() {
  for (const child of running) end(child)
}

function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The program has just ended on its own.
  }
}

/** A user's config of git must not change the figures. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')),
)
Object.assign(environment, {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  LC_ALL: 'C',
})

/**
 * Runs a contender and returns its figures: `{ cpu, wall, peak }` in seconds
 * and bytes, and those that it reports itself. Its output is discarded, or goes to `digest`.
 *
 * @throws if it fails, or takes longer than `limit` seconds
 */
export async function run(contender, { spent, folder, limit, digest }) {
  const { input, dialogue } = contender
  // The work inside is the same, so a check omits the run before it.
  const command =
    contender.inside && !digest ? [...contender.command, '--inside'] : contender.command
  const [figures, report] = ['figures.json', 'report.json'].map((name) => path.join(folder, name))
  for (const file of [figures, report]) rmSync(file, { force: true })
  const stdin = dialogue ? 'pipe' : input ? openSync(input, 'r') : 'ignore'
  const env = { ...environment, BENCH_REPORT: report, ...(digest ? { BENCH_CHECK: '1' } : {}) }
  const child = spawn(spent, [figures, ...command], {
    env,
    // A process group of its own, so that it can be ended with its children.
    detached: true,
    stdio: [stdin, digest || dialogue ? 'pipe' : 'ignore', 'pipe'],
  })
  running.add(child)
  const timer = setTimeout(() => end(child), limit * 1000)
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-4000)
  })
  try {
    const ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve(signal ?? code))
    })
    const talked = dialogue
      ? converse(child, dialogue, digest)
      : digest && pour(child.stdout, digest)
    const [result] = await Promise.all([ended, talked])
    if (result !== 0) throw new Error(`it ended with ${result}: ${reasonIn(errors)}`)
  } finally {
    clearTimeout(timer)
    running.delete(child)
    // A malformed answer ends the run.
    if (child.exitCode === null && child.signalCode === null) end(child)
    if (typeof stdin === 'number') closeSync(stdin)
  }
  const { user, system, wall, peak } = JSON.parse(readFileSync(figures, 'utf8'))
  const reported = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
  return { cpu: user + system, wall, peak, ...reported }
}

/** Returns the most informative line of a failed program's output. */
function reasonIn(errors) {
  const lines = errors.trim().split('\n')
  return lines.find((line) => /^\w*Error\b|error:|fatal:/i.test(line)) ?? lines.at(-1)
}

async function pour(stream, digest) {
  for await (const chunk of stream) digest.write(chunk)
}
