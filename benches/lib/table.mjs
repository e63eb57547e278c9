// Prints figures as a Markdown table, with the bars that they should meet.
import { readFileSync } from 'node:fs'
import { spread } from './spread.mjs'

const line = (cells) => `| ${cells.join(' | ')} |`

/** Returns the table of one job's rows. */
export function tableOf(rows) {
  return [
    line(['reader', 'CPU / CPU of git', 'CPU s', 'wall s', 'peak MB']),
    line(['---', '--:', '--:', '--:', '--:']),
    ...rows.map(({ id, ratio, cpu, wall, peak }) =>
      line([id, between(ratio), between(cpu), figure(wall.median), megabytes(peak)]),
    ),
  ].join('\n')
}

/** Returns lines about rows with times of calls: first and second ones; nothing if the job has none. */
export function callsOf(rows) {
  const called = rows.filter(({ calls }) => calls)
  return [
    ...ratiosOf(
      'the first call of a process',
      called.filter(({ isSecond }) => !isSecond),
    ),
    ...ratiosOf(
      'the second call',
      called.filter(({ isSecond }) => isSecond),
    ),
  ]
}

function ratiosOf(what, [own, ...others]) {
  if (others.length === 0) return []
  const seconds = ({ id, calls }) => `${id} ${between(spread(calls))} s`
  const ratios = others.map((other) => {
    const times = spread(other.calls.map((call, at) => call / own.calls[at]))
    return `${between(times)} times as long by ${other.id}`
  })
  return [`${what}: ${[own, ...others].map(seconds).join(', ')}: ${ratios.join(', ')}`]
}

/** Returns a table of rows that have times only, relative to the one whose ratio is 1. */
export function tableOfWall(rows) {
  return [
    line(['', 'relative', 'seconds']),
    line(['---', '--:', '--:']),
    ...rows.map(({ id, ratio, wall }) => line([id, between(ratio), between(wall)])),
  ].join('\n')
}

/** Returns a line for each bar whose two contenders were measured on git/git: of the worst record. */
export function barsOf(records) {
  const ofGit = records.filter(({ repository }) => repository.isGit)
  const bars = JSON.parse(readFileSync(new URL('../bars.json', import.meta.url), 'utf8'))
  const reported = bars.flatMap(({ job, reader, against, bar, reach }) => {
    const ratios = ofGit.flatMap(({ name, jobs }) => {
      const one = jobs[job]?.find(({ id }) => id === reader)
      const other = jobs[job]?.find(({ id }) => id === against)
      return one && other ? [{ name, ratio: ratioOf(one, other) }] : []
    })
    if (ratios.length === 0) return []
    const { name, ratio } = ratios.reduce((worst, one) => (one.ratio > worst.ratio ? one : worst))
    const result = ratio <= bar ? 'met' : `short by ${figure(ratio / bar)}x`
    const reached = ratio <= reach ? ', and what to reach for' : ''
    const where = ratios.length > 1 ? ` (${name})` : ''
    const about = `${figure(ratio)}${where}, bar ${figure(bar)}`
    return `${job}: ${reader} / ${against}: ${about}: ${result}${reached}`
  })
  return [...reported, ...peaksOver(ofGit)]
}

/** The bytes that a process may take besides the limit: Node itself. */
const NODE = 64 << 20

function peaksOver(records) {
  const held = records.flatMap(({ jobs }) =>
    Object.entries(jobs).flatMap(([job, rows]) =>
      (rows ?? []).filter(({ ceiling }) => ceiling).map((row) => ({ job, ...row })),
    ),
  )
  const over = held.filter(({ peak, ceiling }) => peak > ceiling + NODE)
  if (held.length === 0) return []
  const reported = ({ job, id, peak, ceiling }) =>
    `${job}: ${id}: ${megabytes(peak)} MB at most, ceiling and 64 MiB ${megabytes(ceiling + NODE)}: over`
  return [
    `peaks within the ceiling and 64 MiB: ${held.length - over.length} of ${held.length}`,
    ...over.map(reported),
  ]
}

/** Returns the median of the ratios, round by round. */
function ratioOf(one, other) {
  return spread(one.rounds.map((cpu, at) => cpu / other.rounds[at])).median
}

function between({ median, least, most }) {
  return `${figure(median)} (${figure(least)}–${figure(most)})`
}

function figure(value) {
  return `${Number(value.toPrecision(3))}`
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6)
}
