#!/usr/bin/env node
// Writes docs/performance.md and docs/performance.svg from records. Text
// outside of the marks in the document is kept.
//
//   node benches/report.mjs benches/record/A.json [B.json …]
import { readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from '../scripts/lib/paths.mjs'
import { apart, jobs } from './jobs.mjs'
import { plotOf } from './lib/plot.mjs'
import { barsOf, tableOf, tableOfWall } from './lib/table.mjs'

const records = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')))
if (records.length === 0) {
  console.error('usage: node benches/report.mjs RECORD...')
  process.exit(2)
}
const document = inRoot('docs', 'performance.md')
const [start, end] = ['<!-- figures -->\n', '<!-- end of figures -->']
const text = readFileSync(document, 'utf8')
const before = text.slice(0, text.indexOf(start) + start.length)
const behind = text.slice(text.indexOf(end))
const picture = '![CPU beside C git](performance.svg)'
const chapters = [picture, ...records.map(chapterOf)].join('\n\n')
writeFileSync(document, `${before}\n${chapters}\n\n${behind}`)
writeFileSync(inRoot('docs', 'performance.svg'), plotOf(records[0]))

function chapterOf(record) {
  const { name, date, commit, optimised, rounds, machine, versions, repository } = record
  const facts = [
    `${repository.objects.toLocaleString('en')} objects, a pack of ${megabytes(repository.pack)} MB;`,
    `${date}, commit ${commit.slice(0, 9)}${record.changed ? ' with changes' : ''},`,
    `module ${optimised ? 'optimised' : 'not optimised'}; ${rounds} rounds;`,
    `${machine.cpu}, ${machine.cores} cores, ${megabytes(machine.memory)} MB, ${machine.system};`,
    `${Object.values(versions).join(', ')}.`,
  ]
  const bars = barsOf([record]).map((bar) => `- ${bar}`)
  const sections = Object.entries(record.jobs).map(([job, rows]) => sectionOf(job, rows, record))
  const parts = [`## ${name}`, facts.join('\n'), bars.join('\n'), ...sections]
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
