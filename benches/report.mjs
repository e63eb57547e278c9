#!/usr/bin/env node
// Writes what the documents say of the records: the pictures and the table of docs/performance.md,
// and all of docs/performance-tables.md. Text outside of the marks in a document is kept.
//
//   node benches/report.mjs
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot } from '../scripts/lib/paths.mjs'
import { apart, jobs } from './jobs.mjs'
import { gitChart, gitTable, inShapes, readersChart } from './lib/charts.mjs'
import { barsOf, tableOf, tableOfWall } from './lib/table.mjs'

/** The repository whose record has most readers. */
const MOST_READERS = 'libgit2'

const folder = inRoot('benches', 'record')
const records = readdirSync(folder)
  .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

const shaped = inShapes(records)
const others = records.find(({ name }) => name === MOST_READERS)
writeFileSync(inRoot('docs', 'performance-git.svg'), gitChart(shaped))
writeFileSync(inRoot('docs', 'performance-readers.svg'), readersChart(others))
fill('performance.md', 'shapes', [gitTable(shaped), about(shaped)].join('\n\n'))
const goals = barsOf(records).map((line) => `- ${line}`)
fill('performance-tables.md', 'goals', goals.join('\n'))
fill('performance-tables.md', 'records', records.map(chapterOf).join('\n\n'))

/** Replaces what is between the marks of this name in a document. */
function fill(document, mark, content) {
  const file = inRoot('docs', document)
  const text = readFileSync(file, 'utf8')
  const [start, end] = [`<!-- ${mark} -->\n`, `<!-- end of ${mark} -->`]
  const before = text.slice(0, text.indexOf(start) + start.length)
  writeFileSync(file, `${before}\n${content}\n\n${text.slice(text.indexOf(end))}`)
}

/** Says of which packs the records are, and when they were made. */
function about(records) {
  const packs = records.map(
    ({ name, repository, date, commit, rounds, machine }) =>
      `${name}: ${repository.objects.toLocaleString('en')} objects, ` +
      `${megabytes(repository.pack)} MB, ${date}, commit ${commit.slice(0, 9)}, ` +
      `${rounds} rounds, load ${machine.load.toFixed(0)} on ${machine.cores} cores`,
  )
  return packs.map((line) => `- ${line}`).join('\n')
}

function chapterOf(record) {
  const { name, date, commit, optimised, rounds, machine, versions, repository } = record
  const facts = [
    `${repository.objects.toLocaleString('en')} objects, a pack of ${megabytes(repository.pack)} MB;`,
    `${date}, commit ${commit.slice(0, 9)}${record.changed ? ' with changes' : ''},`,
    `module ${optimised ? 'optimised' : 'not optimised'}; ${rounds} rounds;`,
    `${machine.cpu}, ${machine.cores} cores, ${megabytes(machine.memory)} MB, ${machine.system};`,
    `${Object.values(versions).join(', ')}.`,
  ]
  const sections = Object.entries(record.jobs).map(([job, rows]) => sectionOf(job, rows, record))
  const parts = [`## ${name}`, facts.join('\n'), ...sections]
  return parts.filter(Boolean).join('\n\n')
}

function sectionOf(job, rows, { repository }) {
  if (apart[job]) return `### ${job}: ${apart[job].about}\n\n${tableOfWall(rows)}`
  const { about, requests } = jobs[job]
  const many = requests ? `${repository.requests[requests].toLocaleString('en')} ` : ''
  return `### ${job}: ${many}${about}\n\n${tableOf(rows)}`
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6).toLocaleString('en')
}
