#!/usr/bin/env node
// Compares every object of a repository with git's, by digest.
//
//   npm run check:real -- --git-dir DIR [--memory MIB] [--verify none]
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { parseArgs } from 'node:util'
import { openSync } from 'packlens'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    memory: { type: 'string', default: '256' },
    verify: { type: 'string', default: 'oid' },
  },
})
const gitDir = values['git-dir']
if (!gitDir) {
  console.error('usage: npm run check:real -- --git-dir DIR [--memory MIB] [--verify oid|none]')
  process.exit(2)
}

const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1)

/** A short digest is enough to distinguish contents that are not made to collide. */
function digest(type, data) {
  return createHash('sha1').update(`${type} ${data.length} `).update(data).digest('base64')
}

let started = performance.now()
const expected = await digestsFromGit()
console.log(`git: ${expected.size} objects in ${seconds(started)} s`)

started = performance.now()
const result = compare()
console.log(`packlens: ${result.compared} objects in ${seconds(started)} s`)
console.log(JSON.stringify(result.stats))

const missed = [...expected.keys()].slice(0, 10)
for (const line of result.wrong.slice(0, 10)) console.log(line)
for (const oid of missed) console.log(`${oid} was not listed`)
const failed = result.wrong.length + expected.size
console.log(`${result.compared} objects compared, ${result.bytes} bytes, ${failed} differences`)
process.exitCode = failed === 0 ? 0 : 1

/** Reads all objects, and removes those that equal git's from the list. */
function compare() {
  const repo = openSync(gitDir, { memory: Number(values.memory) << 20, verify: values.verify })
  const wrong = []
  let compared = 0
  let bytes = 0
  let pieces = []
  for (const row of repo.objects({ unordered: true })) {
    if (row.type === 'failed') {
      wrong.push(`object ${row.index}: ${row.error.message}`)
      continue
    }
    // An object that is larger than a buffer is returned in pieces.
    if (row.more || pieces.length > 0) pieces.push(row.data)
    if (row.more) continue
    const data = pieces.length > 0 ? Buffer.concat(pieces) : row.data
    pieces = []
    compared++
    bytes += data.length
    const { oid, type } = row
    if (expected.get(oid) !== digest(type, data)) wrong.push(`${oid} differs`)
    expected.delete(oid)
  }
  const stats = repo.stats()
  repo.close()
  return { wrong, compared, bytes, stats }
}

async function digestsFromGit() {
  const args = ['cat-file', '--batch-all-objects', '--batch', '--unordered', '--buffer']
  const git = spawn('git', ['--git-dir', gitDir, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, GIT_NO_REPLACE_OBJECTS: '1' },
  })
  const exited = new Promise((resolve) => git.on('close', resolve))
  const digests = new Map()
  let rest = Buffer.alloc(0)
  for await (const chunk of git.stdout) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    for (;;) {
      const end = rest.indexOf(10, at)
      if (end < 0) break
      const [oid, type, size] = rest.toString('latin1', at, end).split(' ')
      const behind = end + 1 + Number(size)
      if (rest.length <= behind) break
      digests.set(oid, digest(type, rest.subarray(end + 1, behind)))
      at = behind + 1
    }
    rest = rest.subarray(at)
  }
  const code = await exited
  if (code !== 0) throw new Error(`git cat-file ended with ${code}`)
  return digests
}
