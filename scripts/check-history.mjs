#!/usr/bin/env node
// Compares histories of paths and pathspecs, and the last changes of entries, with git's: of a repository, or of made
// ones. Without a commit-graph, with one, and with one that has filters of changed paths.
//
//   npm run check:history -- [--git-dir DIR] [--cases 200] [--seed 1] [--histories 6]
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openSync } from 'packlens'
import { PATHS, pathsHistory, randomFrom } from '../tests/fixtures/paths-history.mjs'
import { git, makeBorrowing, refsOfCommits } from './lib/git-oracle.mjs'
import { inputOf, linesOf, modeCases, pathCases, pathspecCases } from './lib/history-cases.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    cases: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '6' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'check-history-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const GRAPHS = {
  'without a graph': [],
  'with a graph': ['commit-graph', 'write', '--reachable', '--no-progress'],
  'with filters': ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'],
}

let compared = 0
let differences = 0
if (values['git-dir']) {
  const source = resolve(values['git-dir'])
  const borrowing = (name) => {
    makeBorrowing(source, join(folder, name))
    return join(folder, name)
  }
  check(source, borrowing, pathsOf(source), Number(values.seed))
} else {
  for (let at = 0; at < Number(values.histories); at++) {
    const seed = Number(values.seed) + at
    const source = join(folder, `history-${seed}`)
    git(source, ['init', '-q', '--bare', source])
    git(source, ['fast-import', '--quiet', '--done', '--force'], pathsHistory(seed, 150))
    git(source, ['symbolic-ref', 'HEAD', 'refs/heads/main'])
    const copy = (name) => {
      cpSync(source, join(folder, name), { recursive: true })
      return join(folder, name)
    }
    check(source, (name) => copy(`${name} ${seed}`), PATHS, seed)
  }
}
console.log(`${compared} answers compared, ${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1

function check(source, copy, paths, seed) {
  const commits = git(source, ['rev-list', '--all'])
  const dates = git(source, ['log', '--all', '--format=%ct', '-500'])
  const refs = refsOfCommits(source)
  const count = Number(values.cases)
  const cases = pathCases({ commits, refs, dates, paths, seed, count })
  const others = pathCases({ commits, refs, dates, paths, seed: seed + 1, count })
  cases.push(...modeCases(others, seed))
  cases.push(...pathspecCases([...cases], seed))
  for (const [name, graph] of Object.entries(GRAPHS)) {
    const gitDir = copy(name)
    if (graph.length > 0) git(gitDir, graph)
    const repo = openSync(gitDir)
    for (const asked of cases) compare(name, gitDir, repo, asked)
    compareEntries(name, gitDir, repo, { commits, random: randomFrom(seed) })
    const { objects, commitsWalked } = repo.stats()
    console.log(`${name}: ${objects} objects read, ${commitsWalked} commits walked`)
    repo.close()
  }
}

function compare(name, gitDir, repo, asked) {
  const [expected, answer] = [
    () => git(gitDir, asked.args, inputOf(asked)),
    () => linesOf(repo, asked),
  ].map((ask) => {
    try {
      return ask().join()
    } catch (error) {
      // An ancestry path may have no commit to begin with.
      return /no bottom commits|an ancestry path needs/.test(`${error}`) ? 'fails' : `${error}`
    }
  })
  compared++
  if (answer === expected) return
  differences++
  const { args, paths } = asked
  console.log(`${name}: git ${args.join(' ')} ${asked.specs.join(' ')} -- ${paths.join(' ')}`)
  if (differences < 4) console.log(`  git ${expected}\n  not ${answer}`)
}

/** Compares the last changes of a directory's entries, at some commits. */
function compareEntries(graph, gitDir, repo, { commits, random }) {
  for (let at = 0; at < 4; at++) {
    const tip = commits[random(commits.length)]
    const format = '--format=%(objecttype) %(path)'
    const folders = git(gitDir, ['ls-tree', '-r', '-t', '-d', format, tip])
    const [type, name] = (folders[random(folders.length + 1)] ?? '').split(/ (.*)/)
    const plain = type === 'tree' && !name.startsWith('"') ? name : ''
    const found = [...repo.lastModified(tip, plain ? { path: plain } : {})]
    for (const entry of found.filter((_, place) => place % 7 === 0)) {
      if (!Buffer.from(entry.name).equals(entry.nameBytes)) continue
      const path = plain ? `${plain}/${entry.name}` : entry.name
      const [commit] = git(gitDir, ['log', '-1', '--format=%H', tip, '--', `:(literal)${path}`])
      compared++
      if (commit === entry.commit) continue
      differences++
      console.log(`${graph}: git log -1 ${tip} -- ${path}: ${commit}, not ${entry.commit}`)
    }
  }
}

/** Returns paths of files and directories of some commits. */
function pathsOf(source) {
  const random = randomFrom(Number(values.seed))
  const commits = git(source, ['rev-list', 'HEAD'])
  const paths = new Set()
  for (let at = 0; at < 8; at++) {
    const commit = commits[random(commits.length)]
    const all = spawnSync('git', ['--git-dir', source, 'ls-tree', '-rtz', '--name-only', commit], {
      maxBuffer: 1 << 30,
    })
    const names = all.stdout.toString('latin1').split('\0').slice(0, -1)
    for (let picked = 0; picked < 25; picked++) paths.add(names[random(names.length)])
  }
  return [...paths].filter((path) => path && !/[*?[\\\n"]|^:/.test(path))
}
