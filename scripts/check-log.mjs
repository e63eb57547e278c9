#!/usr/bin/env node
// Compares `packlens log`, `show`, `rev-list` and `shortlog` with git's bytes: random formats,
// options and ranges over a repository.
//
//   npm run check:log -- --git-dir DIR [--cases 300] [--seed 1] [--git PATH] [--only log,lines]
//
// `diff` are questions about changes, to `diff`, `diff-tree`, `show` and `log`. `follow` and `lines`
// are asked only if they are named: development versions of git after 2.55.0 answer the first
// otherwise (docs/shortcomings.md), and the second as packlens.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { randomFrom } from '../tests/fixtures/paths-history.mjs'
import { filteredObjects, withSortedTail } from './lib/filter-cases.mjs'
import { questionsOf } from './lib/log-cases.mjs'
import { ownCommand } from './lib/own-command.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    cases: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: 'git' },
    only: { type: 'string', default: 'log,cherry,bisect,show,rev-list,objects,shortlog,diff' },
    shown: { type: 'string', default: '3' },
  },
})
if (!values['git-dir']) throw new Error('name a repository: --git-dir DIR')
const gitDir = resolve(values['git-dir'])
/** The most bytes that are compared of an answer. */
const MOST = 4 << 20

// Relative dates are those of one time, in one zone.
process.env.GIT_TEST_DATE_NOW = '1780000000'
process.env.TZ = 'Europe/Berlin'
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^GIT_(?!TEST)|^COLUMNS$/.test(name)),
  ),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  LC_ALL: 'C.UTF-8',
}

function git(args) {
  const options = { maxBuffer: 1 << 30, env: environment }
  const { status, stdout, stderr } = spawnSync(values.git, ['--git-dir', gitDir, ...args], options)
  return { exit: status, output: stdout, error: `${stderr}` }
}

const lines = (...args) => git(args).output.toString('latin1').split('\n').slice(0, -1)

/** packlens moves roots of a graph as versions after 2.55.0 do; older ones ignore the variable. */
const knowsIndent = git(['log', '--graph', '--graph-indent', '-1', '--all']).exit === 0
const unmoved = knowsIndent ? [] : ['-c', 'log.graphIndent=false']

const random = randomFrom(Number(values.seed))
const repository = {
  commits: lines('rev-list', '--all', '--max-count=5000'),
  merges: lines('rev-list', '--all', '--merges', '--max-count=500'),
  roots: lines('rev-list', '--all', '--max-parents=0'),
  refs: lines('for-each-ref', '--format=%(refname)'),
  tags: lines('for-each-ref', '--format=%(refname)', 'refs/tags'),
  paths: lines('ls-tree', '-r', '-t', '--name-only', 'HEAD').filter(
    (path) => !/["*?[\\]/.test(path),
  ),
}
// Some of the names that renamed files had.
repository.renamed = lines('log', '--diff-filter=RC', '--name-only', '--format=', '-M', '--all')
  .filter((path) => !/["*?[\\]/.test(path))
  .filter((_, at, all) => at % Math.ceil(all.length / 300) === 0)
// Words of some changes, which `-S` and `-G` look for.
repository.words = lines('log', '-p', '--format=', '--max-count=30', '--all')
  .flatMap((line) => line.match(/\w{3,}/g) ?? [])
  .filter((_, at) => at % 7 === 0)
// The first of these match paths, the others directories.
const scratch = mkdtempSync(join(tmpdir(), 'check-log-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
repository.orderFile = join(scratch, 'order')
const few = repository.paths.filter((_, at, all) => at % Math.ceil(all.length / 20) === 0)
writeFileSync(repository.orderFile, `# order\n\n*.h\n${few.reverse().join('\n')}\n*.c\n`)
const only = values.only.split(',')
// Some files with their lines.
if (only.includes('lines')) {
  const texts = repository.paths.filter((path) => /\.(c|h|md|sh|txt)$|^[A-Z]+$/.test(path))
  repository.files = texts
    .filter((_, at) => at % Math.ceil(texts.length / 200) === 0)
    .map((path) => ({ path, lines: lines('cat-file', '-p', `HEAD:${path}`) }))
    .filter(({ lines }) => lines.length > 3)
}
const counts = {}
let [compared, differences] = [0, 0]
for (let at = 0; at < Number(values.cases); at++) {
  const kind = only[random(only.length)]
  const isFiltered = kind === 'objects'
  const args = isFiltered
    ? filteredObjects(repository, random)
    : questionsOf(kind, repository, random)
  const expected = git(args)
  if (expected.output.length > MOST) continue
  const answer = await ownCommand(gitDir, [...unmoved, ...args], { most: MOST })
  compared++
  counts[args[0]] = (counts[args[0]] ?? 0) + 1
  if (isFiltered) {
    expected.output = withSortedTail(expected.output)
    answer.output = withSortedTail(answer.output)
  }
  const isSame = expected.output.equals(answer.output) && expected.exit === answer.exit
  if (isSame) continue
  differences++
  console.log(`git ${args.map((arg) => (/[^\w./=:@^-]/.test(arg) ? `'${arg}'` : arg)).join(' ')}`)
  if (differences <= Number(values.shown)) show(expected, answer)
}
const kinds = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
console.log(`${compared} answers compared (${kinds.join(', ')}), ${differences} differences`)
process.exitCode = differences === 0 ? 0 : 1

/** Prints the first line that differs. */
function show(expected, answer) {
  const [theirs, ours] = [expected, answer].map(({ output }) =>
    output.toString('latin1').split('\n'),
  )
  const at = theirs.findIndex((line, at) => line !== ours[at])
  const first = at < 0 ? theirs.length : at
  console.log(
    `  line ${first + 1}, exit ${expected.exit} and ${answer.exit} ${answer.error.slice(0, 600)}`,
  )
  for (const [name, all] of [
    ['git', theirs],
    ['packlens', ours],
  ]) {
    console.log(`  ${name}: ${JSON.stringify(all.slice(Math.max(first - 2, 0), first + 3))}`)
  }
}
