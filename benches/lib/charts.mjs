// What the pictures and the table of docs/performance.md show of the records.
import { barChart, linear, logarithmic } from './plot.mjs'
import { shapes } from './shapes.mjs'
import { spread } from './spread.mjs'

/** The rows of the comparisons: a job, packlens's reader, and what a user calls it. */
const ROWS = [
  ['first-blob', 'packlens', 'the first file of a process'],
  [
    'blobs',
    "packlens, readMany, order 'pack', verify 'none'",
    'blobs, one call, order of the pack',
  ],
  ['blobs', "packlens, readMany, verify 'none'", 'blobs, one call, order asked'],
  [
    'blobs',
    "packlens, read, base cache 96 MiB, verify 'none'",
    'blobs, a call each, 96 MiB of bases',
  ],
  [
    'blobs',
    "packlens, read, base cache 32 MiB, verify 'none'",
    'blobs, a call each, 32 MiB of bases',
  ],
  ['whole-pack', "packlens, verify 'none'", 'every object'],
  ['whole-pack', "packlens, verify 'oid'", 'every object, hashed'],
  ['index-pack', 'packlens', 'the index of a pack'],
  ['count', "packlens, verify 'none'", 'commits counted'],
  ['count-graph', "packlens, verify 'none'", 'the same with a commit-graph'],
  ['merge-base-hard', "packlens, verify 'none'", 'a merge base'],
]

/** The jobs of short processes: their bars would be longer than the picture. */
const SHORT = ['first-blob', 'count-graph']

const CALLED = {
  git: 'C git',
  gitoxide: 'gitoxide',
  'isomorphic-git': 'isomorphic-git',
  'wasm-git': 'wasm-git',
}

/** Returns the records of packs in a shape, by repository, and then in the order of the shapes. */
export function inShapes(records) {
  const named = Object.keys(shapes).flatMap((shape, order) =>
    records.flatMap((record) => {
      const [end, { name }] = [`-${shape}`, record]
      return name.endsWith(end) ? [{ record, order, of: name.slice(0, -end.length) }] : []
    }),
  )
  named.sort((a, b) => a.of.localeCompare(b.of, 'en') || a.order - b.order)
  return named.map(({ record }) => record)
}

/** Returns the picture of packlens beside C git, a color for each pack. */
export function gitChart(records) {
  const groups = ROWS.filter(([job]) => !SHORT.includes(job)).flatMap(([job, id, label]) => {
    const bars = records.flatMap(({ name, jobs }) => {
      const row = rowOf(jobs, job, id)
      const inside = rowOf(jobs, job, `${id}, inside`)?.ratio.median
      return row ? [{ series: name, ...row.ratio, inside }] : []
    })
    return bars.length > 0 ? [{ label, bars }] : []
  })
  return barChart({
    title: 'CPU of packlens, beside C git doing the same',
    about: 'Shorter is better; 1 is C git. The thick tick is a second run inside one process.',
    series: records.map(({ name }) => name),
    groups,
    axis: linear(2, [
      [0, '0'],
      [0.5, '0.5'],
      [1, 'C git'],
      [1.5, '1.5'],
      [2, '2'],
    ]),
  })
}

/** Returns the table of the same and of short processes: a column for each pack. */
export function gitTable(records) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const rows = ROWS.flatMap(([job, id, label]) => {
    const cells = records.map(({ jobs }) => {
      const row = rowOf(jobs, job, id)
      const inside = rowOf(jobs, job, `${id}, inside`)
      if (!row) return ''
      return [row, inside].flatMap((one) => (one ? [figure(one.ratio.median)] : [])).join(', ')
    })
    return cells.some(Boolean) ? [line([label, ...cells])] : []
  })
  return [
    line(['', ...records.map(({ name }) => name)]),
    line(['---', ...records.map(() => '--:')]),
    ...rows,
  ].join('\n')
}

/** Returns the picture of other readers beside packlens, of one record. */
export function readersChart({ name, jobs }) {
  const groups = ROWS.flatMap(([job, id, label]) => {
    const own = rowOf(jobs, job, id)
    const others = (jobs[job] ?? []).filter(
      ({ engine, id }) => engine === id && Object.hasOwn(CALLED, id),
    )
    if (!own || others.length === 0) return []
    const bars = others.map(({ id, rounds }) => {
      return { series: CALLED[id], ...spread(rounds.map((cpu, at) => cpu / own.rounds[at])) }
    })
    return [{ label, bars }]
  })
  return barChart({
    title: `CPU of other readers, beside packlens: ${name}`,
    about: 'Shorter is better; 1 is packlens. The axis is logarithmic.',
    series: Object.values(CALLED),
    groups,
    axis: logarithmic(0.004, 100, [
      [0.1, 'a tenth'],
      [1, 'packlens'],
      [10, '10 times'],
      [100, '100 times'],
    ]),
  })
}

function rowOf(jobs, job, reader) {
  return jobs[job]?.find(({ id }) => id === reader)
}

function figure(value) {
  return `${Number(value.toPrecision(2))}`
}
