#!/usr/bin/env node
// Compares the blame of random files of a repository with git's, with random options: the same
// lines in the same order; with copies the files of one commit may come in another.
//
//   npm run check:blame -- --git-dir DIR [--cases 100] [--seed 1] [--git git] [--path PATH]
//
// A third of the files are compared on the command line, lines of these named by patterns. --path
// compares one file, with each option. The CPU time is that of packlens.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openSync } from 'packlens'
import { randomFrom } from '../tests/fixtures/paths-history.mjs'
import { distDir } from './lib/paths.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    cases: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: 'git' },
    path: { type: 'string' },
  },
})
const gitDir = values['git-dir']
if (!gitDir) throw new Error('usage: npm run check:blame -- --git-dir DIR')
const random = randomFrom(Number(values.seed))

/** Options of packlens, and git's flags for them. Most files are compared without any. */
const CHOICES = [
  [{}, []],
  [{}, []],
  [{}, []],
  [{ ignoreSpace: 'all' }, ['-w']],
  [{ firstParent: true }, ['--first-parent']],
  [{ algorithm: 'minimal' }, ['--minimal']],
  [{ moves: true }, ['-M']],
  [{ copies: 'changed' }, ['-C']],
  [{ copies: 'created', copyScore: 20 }, ['-C', '-C20']],
  [{ lines: [[1, 1]] }, ['-L1,1']],
]

/** Options that name commits, some of those that the path has. */
const OF_COMMITS = [
  (_, own) => {
    const ignore = [1, 2, 3].map(() => own[random(own.length)])
    return [{ ignore }, ignore.flatMap((commit) => ['--ignore-rev', commit])]
  },
  (commits) => {
    const exclude = commits[random(commits.length)]
    return [{ exclude }, [`^${exclude}`]]
  },
  (commits) => {
    const since = Number(git(['log', '-1', '--format=%ct', commits[random(commits.length)]]))
    return [{ since }, [`--since=${since}`]]
  },
]

function choose(path) {
  if (random(3) > 0) return CHOICES[random(CHOICES.length)]
  const list = (...args) =>
    git([...args, head, '--', path])
      .split('\n')
      .slice(0, -1)
  const commits = git(['rev-list', '-n1000', head]).split('\n').slice(0, -1)
  return OF_COMMITS[random(OF_COMMITS.length)](commits, list('log', '--format=%H', '--follow'))
}

/** Returns a random value of `-L` with patterns, of words of the file. */
function rangeOfPatterns(text) {
  const words = text.match(/[A-Za-z_]{3,}/g) ?? ['the']
  const word = () => words[random(words.length)]
  const pattern = () => `${['', '', '^'][random(3)]}/${word()}/`
  const end = () => [`,+${random(9)}`, `,-${random(9)}`, `,/${word()}/`, '', ','][random(5)]
  const number = () => 1 + random(text.split('\n').length)
  const kinds = [
    () => `${pattern()}${end()}`,
    () => `${['', '^'][random(2)]}:${word()}`,
    () => `${number()},/${word()}/`,
    () => `${number()}${end()}`,
  ]
  return kinds[random(kinds.length)]()
}

/** Compares what the command line prints of lines named by patterns; returns whether it differs. */
function patternsDiffer(path) {
  const text = repo.read(`${head}:${path}`).data
  const ranges = Array.from({ length: 1 + random(3) }, () =>
    rangeOfPatterns(Buffer.from(text).toString('latin1')),
  )
  const args = ['blame', '-s', '-l', ...ranges.map((range) => `-L${range}`), head, '--', path]
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const run = (program, ...before) =>
    spawnSync(program, [...before, ...args], { maxBuffer: 1 << 30, env })
  const theirs = run(values.git, '--git-dir', gitDir)
  // git 2.55 seeks after the last line: `-L2,/x/` of a file of one line.
  if (theirs.signal) {
    crashes++
    return false
  }
  const own = run(process.execPath, cli, `--git-dir=${gitDir}`)
  const message = ({ stderr }) => /^fatal.*/m.exec(stderr.toString())?.[0]
  const isSame = theirs.status === own.status && theirs.stdout.equals(own.stdout)
  if (isSame && message(theirs) === message(own)) return false
  console.log(`differs: git ${args.join(' ')}: ${message(theirs)}; own ${message(own)}`)
  return true
}

function git(args) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const all = ['-c', 'core.quotePath=false', '--git-dir', gitDir, ...args]
  const { status, stdout, stderr } = spawnSync(values.git, all, { maxBuffer: 1 << 30, env })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.toString()
}

/** Returns lines as `git blame --incremental` prints them. */
function blameOfGit(flags, head, path) {
  const found = []
  let line = ''
  for (const printed of git(['blame', '--incremental', ...flags, head, '--', path]).split('\n')) {
    if (/^[0-9a-f]{40,64} \d+ \d+ \d+$/.test(printed)) line = printed
    else if (printed.startsWith('filename ')) found.push(`${line} ${printed.slice(9)}`)
  }
  return found
}

const cli = join(distDir, 'node', 'cli', 'packlens.cjs')
const repo = openSync(gitDir)
const [head] = git(['rev-parse', 'HEAD']).split('\n')
const files = git(['ls-tree', '-r', '-z', head])
  .split('\0')
  .filter((entry) => /^100/.test(entry))
  .map((entry) => entry.slice(entry.indexOf('\t') + 1))
let compared = 0
let named = 0
let crashes = 0
let lines = 0
let differences = 0
let micros = 0
while (compared < (values.path ? CHOICES.length : Number(values.cases))) {
  const path = values.path ?? files[random(files.length)]
  if (!values.path && random(3) === 0) {
    compared++
    named++
    if (patternsDiffer(path)) differences++
    continue
  }
  const [options, flags] = values.path ? CHOICES[compared] : choose(path)
  compared++
  if (options.lines && repo.read(`${head}:${path}`).size === 0) continue
  const start = process.cpuUsage()
  const found = [...repo.blame(head, path, options)]
  const { user, system } = process.cpuUsage(start)
  micros += user + system
  lines += found.reduce((sum, { count }) => sum + count, 0)
  const printed = found.map(
    (one) => `${one.commit} ${one.oldStart} ${one.start} ${one.count} ${one.path}`,
  )
  const expected = blameOfGit(flags, head, path)
  const inOrder = (all) => (options.copies ? all.sort() : all).join('\n')
  if (inOrder(printed) === inOrder(expected)) continue
  differences++
  console.log(`differs: git blame --incremental ${[...flags, head, '--', path].join(' ')}`)
}
const seconds = (micros / 1e6).toFixed(2)
console.log(
  `${compared} files, ${named} by patterns, ${lines} lines, ${differences} differences, ${crashes} crashes of git; ${seconds} s of CPU`,
)
process.exitCode = differences === 0 ? 0 : 1
