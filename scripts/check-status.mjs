#!/usr/bin/env node
// Compares what `status` prints with git's output: about random work trees, with random options.
//
//   npm run check:status -- [--cases 300] [--seed 1] [--git git] [--attributes] [--long] [--show]
//
// With `--attributes` files have attributes that convert their contents. With `--long` the work
// trees are in the middle of operations such as a rebase, and the long format is compared.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { randomFrom } from '../tests/fixtures/paths-history.mjs'
import { RandomWorktree, randomArguments } from '../tests/fixtures/random-worktrees.mjs'
import { randomLongCall, StatesUnderWay } from '../tests/fixtures/states-under-way.mjs'
import { ownCommandIn } from './lib/own-command.mjs'

/** How many questions are asked about each work tree. */
const QUESTIONS = 3

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: 'git' },
    attributes: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
})
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'packlens-status-')))
const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  // git would write what it found into the index.
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C.UTF-8',
}

function gitAnswer(cwd, args) {
  const { status, stdout, stderr } = spawnSync(values.git, args, { cwd, env })
  return { exit: status, output: stdout.toString('latin1'), error: stderr.toString() }
}

async function ownAnswer(cwd, args) {
  const { output, ...rest } = await ownCommandIn(cwd, args)
  return { ...rest, output: output.toString('latin1') }
}

function indexOf(place) {
  const file = path.join(place, '.git', 'index')
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.mtimeNs} ${stat.ino} ${readFileSync(file, 'base64')}` : ''
}

function callOf(question, random, worktree) {
  if (values.long) return question === 0 ? ['status'] : randomLongCall(random)
  return ['status', ...(question === 0 ? ['--porcelain=v2'] : randomArguments(random, worktree))]
}

const counts = { equal: 0, lines: 0, differing: 0, written: 0, unanswered: 0 }
for (let number = 0; number < Number(values.cases); number++) {
  const random = randomFrom(Number(values.seed) * 100_003 + number)
  for (let at = 0; at < 5; at++) random(2)
  const place = path.join(folder, `${number}`)
  const worktree = new RandomWorktree(place, random, {
    attributes: values.attributes,
    splits: !values.long,
  })
  worktree.make()
  if (values.long) new StatesUnderWay(worktree).make()
  for (let question = 0; question < QUESTIONS; question++) {
    const args = callOf(question, random, worktree)
    const before = indexOf(place)
    const answer = await ownAnswer(place, args)
    if (indexOf(place) !== before) counts.written++
    const expected = gitAnswer(place, args)
    // git ends by a signal about some sparse indexes, and does not read some that it split itself.
    if (expected.exit === null || /^fatal: position for replacement/.test(expected.error)) {
      counts.unanswered++
      continue
    }
    if (answer.output === expected.output && answer.exit === expected.exit) {
      counts.equal++
      counts.lines += expected.output.split(/[\n\0]/).length - 1
      continue
    }
    counts.differing++
    console.log(`case ${number}: git ${args.join(' ')}`)
    if (values.show) {
      const [theirs, ours] = [expected, answer].map(({ output }) => output.split(/[\n\0]/))
      for (const line of theirs.filter((line) => !ours.includes(line)))
        console.log(`  git  ${line}`)
      for (const line of ours.filter((line) => !theirs.includes(line)))
        console.log(`  own  ${line}`)
      if (expected.error) console.log(`  git  ${expected.exit}: ${expected.error}`)
      if (answer.error) console.log(`  own  ${answer.exit}: ${answer.error}`)
    }
  }
  if (values.keep === undefined) rmSync(place, { recursive: true })
}
if (values.keep === undefined) rmSync(folder, { recursive: true })
else console.log(`the work trees are in ${folder}`)
console.log(
  `${counts.equal} answers with ${counts.lines} lines are git's, ${counts.differing} differ; ` +
    `${counts.unanswered} that git did not answer; ${counts.written} wrote into the index`,
)
process.exitCode = counts.differing + counts.written > 0 ? 1 : 0
