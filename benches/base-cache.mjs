#!/usr/bin/env node
// Simulates policies of the base cache on the requests of the other benches, and counts the
// bytes that remain to be inflated and made by deltas. Times nothing.
//
//   npm run bench:base-cache -- --git-dir DIR
import { git } from '../scripts/lib/git.mjs'
import { Greedy, LeastRecent, Segments } from './lib/cache-policies.mjs'
import { optionsOf } from './lib/options.mjs'
import { largestPack, makeWorkplace } from './lib/workplace.mjs'

const MIB = 1 << 20
const SIZES = [16, 32, 96]

const policies = [
  ['none', () => undefined, false],
  [
    'objects as they are made, least recently used leave (git)',
    (cap) => new LeastRecent(cap),
    true,
  ],
  ['entries, least recently used leave', (cap) => new LeastRecent(cap), false],
  ['entries in segments (packlens)', (cap) => new Segments(cap), false],
  ['entries, those leave that are cheapest for their size', (cap) => new Greedy(cap), false],
]

const options = optionsOf(process.argv.slice(2))
const workplace = makeWorkplace(options.gitDir, { seed: options.seed, count: options.requests })
try {
  const entries = entriesOf(options.gitDir)
  for (const kind of ['blobs', 'mixed']) {
    const { oids } = await workplace.task({ requests: kind })
    console.log(`\n${oids.length} ${kind}: MB inflated, entries inflated, MB made by deltas\n`)
    console.log(`| policy | ${SIZES.map((mib) => `${mib} MiB`).join(' | ')} |`)
    console.log(`| --- | ${SIZES.map(() => '---').join(' | ')} |`)
    for (const [name, make, resolved] of policies) {
      const cells = SIZES.map((mib) => read(oids, entries, make(mib * MIB), resolved))
      console.log(`| ${name} | ${cells.join(' | ')} |`)
    }
  }
} finally {
  workplace.close()
}

/** The entries of the largest pack by their ids: sizes, and the base of each. */
function entriesOf(gitDir) {
  const pack = largestPack(gitDir)
  const entries = new Map()
  for (const line of git(['verify-pack', '-v', pack.replace(/pack$/, 'idx')]).split('\n')) {
    const [oid, , size, disk, , , base] = line.split(/\s+/)
    if (/^[0-9a-f]{40,}$/.test(oid)) entries.set(oid, { size: +size, disk: +disk, base })
  }
  for (const { type, oid, size } of objectSizes(gitDir)) {
    const entry = entries.get(oid)
    if (entry) Object.assign(entry, { type, made: size })
  }
  return entries
}

function objectSizes(gitDir) {
  const check = ['cat-file', '--batch-all-objects', '--batch-check', '--unordered']
  const lines = git(['--git-dir', gitDir, ...check])
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const [oid, type, size] = line.split(' ')
    return { oid, type, size: +size }
  })
}

function read(oids, entries, cache, resolved) {
  const done = { inflated: 0, streams: 0, made: 0 }
  for (const oid of oids) {
    const chain = []
    for (let entry = entries.get(oid); entry; entry = entries.get(entry.base)) {
      chain.push(entry)
      // An entry that is cached whole needs none of its bases.
      if (resolved && chain.length > 1 && cache.has(entry, entry.made)) break
    }
    for (const [depth, entry] of [...chain.entries()].reverse()) {
      const isHit = cache?.get(entry)
      if (resolved && isHit) continue
      if (!isHit) {
        done.inflated += entry.size
        done.streams += 1
      }
      if (entry.base) done.made += entry.made
      if (isHit || chain.length === 1) continue
      if (!resolved) cache?.put(entry, entry.size)
      else if (depth > 0) cache.put(entry, entry.made)
    }
  }
  const mb = (bytes) => Math.round(bytes / 1e6)
  return `${mb(done.inflated)}, ${done.streams}, ${mb(done.made)}`
}
