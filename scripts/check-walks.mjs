#!/usr/bin/env node
// Compares walks over the commits of a repository with git's, without a
// commit-graph and with one. The repository is not changed: git writes the graph
// to a folder of its own, which borrows the objects.
//
//   npm run check:walks -- --git-dir DIR [--pairs 300] [--seed 1] [--verify none]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openSync } from 'packlens'
import { git, makeBorrowing, refsOfCommits, run } from './lib/git-oracle.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    pairs: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    verify: { type: 'string', default: 'oid' },
  },
})
if (!values['git-dir']) {
  console.error(
    'usage: npm run check:walks -- --git-dir DIR [--pairs N] [--seed N] [--verify none]',
  )
  process.exit(2)
}
const source = resolve(values['git-dir'])
const folder = mkdtempSync(join(tmpdir(), 'check-walks-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

let state = Number(values.seed)
function random(below) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0
  return (state >>> 8) % below
}
const one = (list) => list[random(list.length)]

/** Makes a repository that borrows all objects. */
function borrowing(name, withGraph) {
  const gitDir = join(folder, name)
  makeBorrowing(source, gitDir)
  if (withGraph) git(gitDir, ['commit-graph', 'write', '--reachable', '--no-progress'])
  return gitDir
}

/** A question as git's arguments, and as a call. */
function questions(commits, refs) {
  const any = () => (random(5) === 0 ? one(refs) : one(commits))
  const asked = [
    [['rev-list', '--count', 'HEAD'], (repo) => [`${repo.countCommits('HEAD')}`]],
    [['rev-list', '--all'], (repo) => [...repo.revList([], { all: true })]],
  ]
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const [a, b] = [any(), any()]
    asked.push(
      [['merge-base', '--all', a, b], (repo) => repo.mergeBases([a, b])],
      [['rev-list', '--count', `${a}..${b}`], (repo) => [`${repo.countCommits(`${a}..${b}`)}`]],
      [['rev-list', '--count', `${a}...${b}`], (repo) => [`${repo.countCommits(`${a}...${b}`)}`]],
      [['merge-base', '--is-ancestor', a, b], (repo) => repo.isAncestor(a, b)],
    )
    const order = one(['default', 'date', 'topo'])
    const specs = one([[`${a}..${b}`], [`${a}...${b}`], [a, `^${b}`], [a, b]])
    const limit = random(2) === 0 ? 500 : undefined
    const firstParent = random(8) === 0
    const reverse = random(4) === 0
    const args = ['rev-list', ...(order === 'default' ? [] : [`--${order}-order`])]
    if (limit !== undefined) args.push(`--max-count=${limit}`)
    if (firstParent) args.push('--first-parent')
    if (reverse) args.push('--reverse')
    const options = { order, limit, firstParent, reverse }
    asked.push([[...args, ...specs], (repo) => [...repo.revList(specs, options)]])
  }
  return asked
}

const commits = git(source, ['rev-list', '--all'])
const refs = refsOfCommits(source)
const asked = questions(commits, refs)
const [without, withGraph] = [borrowing('without', false), borrowing('with', true)]

/** Returns git's answer in the form of the calls. */
function answerOf(gitDir, args) {
  const { status, lines } = run(gitDir, args)
  return JSON.stringify(args[1] === '--is-ancestor' ? status === 0 : lines)
}

function answerFrom(call, repo) {
  try {
    return JSON.stringify(call(repo))
  } catch (error) {
    return `${error}`
  }
}

const repos = [without, withGraph].map((gitDir) => openSync(gitDir, { verify: values.verify }))
let differences = 0
for (const [args, call] of asked) {
  const fast = answerOf(withGraph, args)
  for (const [at, repo] of repos.entries()) {
    const answer = answerFrom(call, repo)
    // Without a graph git takes long, so it is asked only if its answer might differ.
    if (answer === fast || (at === 0 && answer === answerOf(without, args))) continue
    differences++
    console.log(`${at === 0 ? 'without' : 'with'} a graph: git ${args.join(' ')} differs`)
  }
}
for (const [at, repo] of repos.entries()) {
  const { objects, memoryHighWater } = repo.stats()
  repo.close()
  const graph = at === 0 ? 'without' : 'with'
  console.log(`${graph} a commit-graph: ${objects} objects read, ${memoryHighWater} bytes at most`)
}
console.log(`${commits.length} commits, 2 * ${asked.length} answers, ${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1
