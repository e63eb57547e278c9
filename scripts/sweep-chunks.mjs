#!/usr/bin/env node
// Measures streams and frames for chunk sizes from 4 KiB to 1 MiB, in Node and in
// Chromium, and writes docs/chunk-sizes.md.
//
//   npm run sweep [-- --rounds N]
import { createCipheriv } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import * as packlens from 'packlens'
import { git } from './lib/git.mjs'
import { inRoot } from './lib/paths.mjs'
import { openServedPage } from './lib/served-page.mjs'
import { makeTasks, measure } from './lib/sweep-tasks.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' } } })
const rounds = Number(values.rounds)
const SIZES = Array.from({ length: 9 }, (_, at) => 4096 << at)
const LARGE = 64 << 20
const DELTA = 4 << 20
const FRAMED = 64 << 20

const columns = [
  { where: 'Node', task: 'large', title: 'Node: stream, 64 MiB' },
  { where: 'Chromium', task: 'large', title: 'Chromium: stream, 64 MiB' },
  { where: 'Node', task: 'delta', title: 'Node: stream, 4 MiB delta' },
  { where: 'Chromium', task: 'delta', title: 'Chromium: stream, 4 MiB delta' },
  { where: 'Node', task: 'frames', title: 'Node: frames' },
  { where: 'Chromium', task: 'frames', title: 'Chromium: frames' },
]
const expected = { large: LARGE, delta: DELTA, frames: FRAMED }

const folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-sweep-'))
const closing = [() => rmSync(folder, { recursive: true, force: true })]
try {
  const given = makePack()
  const { pack, idx, ...rest } = given
  const { page, version, close } = await openServedPage({ '/pack': pack, '/idx': idx })
  closing.push(close)
  const there = { ...rest, framed: FRAMED }
  await page.evaluate(async (there) => {
    const [packlens, { makeTasks, measure }] = await Promise.all([
      import('/dist/index.js'),
      import('/scripts/lib/sweep-tasks.mjs'),
    ])
    const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer())
    const tasks = await makeTasks(packlens, {
      ...there,
      pack: await bytes('/pack'),
      idx: await bytes('/idx'),
    })
    globalThis.measure = (name, chunkSize) => measure(tasks, name, chunkSize)
  }, there)
  const tasks = await makeTasks(packlens, { pack, idx, ...there })
  const run = {
    Node: (task, size) => measure(tasks, task, size),
    Chromium: (task, size) =>
      page.evaluate(([task, size]) => globalThis.measure(task, size), [task, size]),
  }
  const speeds = new Map(columns.map(({ title }) => [title, SIZES.map(() => [])]))
  // The first round is discarded: it compiles everything.
  for (let round = -1; round < rounds; round++) {
    for (const [at, size] of SIZES.entries()) {
      for (const { where, task, title } of columns) {
        const { seconds, bytes } = await run[where](task, size)
        if (bytes !== expected[task]) throw new Error(`${title}: ${bytes} bytes came`)
        if (round >= 0) speeds.get(title)[at].push(bytes / seconds / 1e6)
      }
    }
    console.log(`round ${round + 1} of ${rounds}, load ${os.loadavg()[0].toFixed(2)}`)
  }
  write(speeds, version)
} finally {
  for (const close of closing.reverse()) await close()
}

/** Makes a pack with a blob that is not a delta and one that is, by git. */
function makePack() {
  const noise = (seed, size) =>
    createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16)).update(
      Buffer.alloc(size),
    )
  // Half of the content compresses, as files do.
  const text = Buffer.from(readFileSync(inRoot('docs/performance.md')).toString().repeat(8))
  const half = Buffer.alloc(LARGE / 2)
  for (let at = 0; at < half.length; at += text.length) text.copy(half, at)
  const large = Buffer.concat([noise(1, LARGE / 2), half])
  const base = noise(2, DELTA)
  const changed = Buffer.from(base)
  for (let at = 0; at < DELTA; at += 100_000) changed[at] ^= 1
  const inFolder = (args) => git(['-C', folder, '-c', 'core.bigFileThreshold=32m', ...args]).trim()
  inFolder(['init', '-q'])
  const oids = [large, base, changed].map((content, at) => {
    writeFileSync(path.join(folder, `${at}`), content)
    return inFolder(['hash-object', '-w', `${at}`])
  })
  oids.forEach((oid, at) => {
    inFolder(['update-index', '--add', '--cacheinfo', `100644,${oid},file${at}`])
  })
  inFolder(['write-tree'])
  inFolder(['repack', '-q', '-a', '-d', '-f'])
  const packs = path.join(folder, '.git', 'objects', 'pack')
  const read = (ending) => {
    const name = readdirSync(packs).find((name) => name.endsWith(ending))
    return new Uint8Array(readFileSync(path.join(packs, name)))
  }
  const [pack, idx] = [read('.pack'), read('.idx')]
  const repo = packlens.openSync({ packs: [{ pack, idx }] })
  const [first, ...others] = oids
  const depth = (oid) => repo.info(oid).deltaDepth
  const delta = others.find((oid) => depth(oid) === 1)
  if (!delta || depth(first) !== 0) throw new Error('git has not made the expected delta')
  repo.close()
  return { pack, idx, large: first, delta }
}

function write(speeds, chromiumVersion) {
  const cell = (all) => {
    const sorted = [...all].sort((a, b) => a - b)
    const at = (share) => Math.round(sorted[Math.round((sorted.length - 1) * share)])
    return `${at(0.5)} (${at(0)}–${at(1)})`
  }
  const name = (size) => (size < 1 << 20 ? `${size >> 10} KiB` : `${size >> 20} MiB`)
  const row = (cells) => `| ${cells.join(' | ')} |`
  const table = [
    row(['chunk', ...columns.map(({ title }) => title)]),
    row(['---', ...columns.map(() => '--:')]),
    ...SIZES.map((size, at) =>
      row([name(size), ...columns.map(({ title }) => cell(speeds.get(title)[at]))]),
    ),
  ]
  const [cpu] = os.cpus()
  const facts = [
    `${cpu.model}, ${os.cpus().length} cores, ${os.type()}; load ${os.loadavg()[0].toFixed(1)} at the end;`,
    `Node ${process.versions.node}, Chromium ${chromiumVersion}; commit ${git(['rev-parse', '--short', 'HEAD']).trim()};`,
    `${rounds} rounds, in each every size and every column once.`,
  ]
  const file = inRoot('docs', 'chunk-sizes.md')
  const doc = readFileSync(file, 'utf8')
  const [start, end] = ['<!-- table -->\n', '<!-- end of table -->']
  const before = doc.slice(0, doc.indexOf(start) + start.length)
  const behind = doc.slice(doc.indexOf(end))
  writeFileSync(file, `${before}\n${facts.join('\n')}\n\n${table.join('\n')}\n\n${behind}`)
  console.log(table.join('\n'))
}
