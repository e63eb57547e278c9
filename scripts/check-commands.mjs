#!/usr/bin/env node
// Compares commands with git's output and exit codes: random commits, directories and ranges of a
// repository. The entries of one commit come in another order than git's, and so are sorted.
//
//   npm run check:commands -- --git-dir DIR [--cases 50] [--seed 1] [--git PATH] [--only NAME]
//
// `last-modified` is a command of git 2.52 and newer. With a commit-graph git 2.55 passes commits
// that a range excludes: set core.commitGraph=false by GIT_CONFIG_COUNT and its like.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { randomFrom } from '../tests/fixtures/paths-history.mjs'
import { ownCommand } from './lib/own-command.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    cases: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: 'git' },
    only: { type: 'string', default: 'last-modified,name-rev,describe' },
  },
})
if (!values['git-dir']) throw new Error('name a repository: --git-dir DIR')
const gitDir = resolve(values['git-dir'])
const random = randomFrom(Number(values.seed))
const chosen = (all) => all[random(all.length)]

function git(args, input = '') {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const options = { maxBuffer: 1 << 30, env, input }
  const { status, stdout, stderr } = spawnSync(values.git, ['--git-dir', gitDir, ...args], options)
  return { exit: status, output: stdout.toString('latin1'), error: `${stderr}` }
}

const linesOf = (...args) => git(args).output.split('\n').slice(0, -1)
const commits = linesOf('rev-list', '--all')
const tags = linesOf('tag', '-l')

/** Random arguments of each command. */
const CASES = {
  'last-modified': () => {
    const tip = chosen(commits)
    const format = '--format=%(objecttype) %(path)'
    const trees = linesOf('ls-tree', '-r', '-t', '-d', format, tip).flatMap((line) =>
      /^tree [^"*?[\\]+$/.test(line) ? [line.slice(5)] : [],
    )
    const folder = chosen(['', ...trees])
    const range = chosen([
      [tip],
      [tip],
      [`${tip}~${random(60)}..${tip}`],
      [tip, `^${chosen(commits)}`, `^${chosen(commits)}`],
    ])
    const flags = folder === '' ? [[], ['-z'], ['-t']] : [[], [], ['-r'], ['--max-depth=1']]
    const paths = folder === '' ? [] : ['--', `${folder}${chosen(['', '/', '/'])}`]
    return [...chosen(flags), ...range, ...paths]
  },
  'name-rev': () => {
    const some = Array.from({ length: 40 }, () => chosen(commits))
    const flags = [[], ['--tags'], ['--tags', '--name-only'], [`--refs=*${random(10)}*`]]
    return [...chosen([...flags, [`--exclude=*${random(10)}*`]]), ...some, ...tags.slice(0, 3)]
  },
  describe: () => ['--contains', ...chosen([[], ['--all'], ['--always']]), chosen(commits)],
}

const sorted = (output) => output.split(/(?<=[\n\0])/).sort()
const counts = { compared: 0, lines: 0, differences: 0 }
for (const command of values.only.split(',')) {
  for (let at = 0; at < Number(values.cases); at++) {
    const args = [command, ...CASES[command]()]
    const [expected, found] = [git(args), await ownCommand(gitDir, args)]
    const ownLines = sorted(found.output.toString('latin1'))
    const lines = sorted(expected.output)
    counts.compared++
    counts.lines += lines.length
    if (expected.exit === found.exit && lines.join('') === ownLines.join('')) continue
    counts.differences++
    console.log(`differs: ${args.join(' ')} (${expected.exit}, ${found.exit}) ${found.error}`)
    const missing = lines.filter((line) => !ownLines.includes(line))
    if (counts.differences < 4) {
      console.log(`  git ${missing.slice(0, 3).join('')}`)
      console.log(
        `  not ${ownLines
          .filter((line) => !lines.includes(line))
          .slice(0, 3)
          .join('')}`,
      )
    }
  }
}
const { compared, lines, differences } = counts
console.log(`${compared} answers compared, ${lines} lines, ${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1
