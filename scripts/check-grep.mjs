#!/usr/bin/env node
// Compares `packlens grep` with git's answers: random patterns and flags, byte by byte.
//
//   npm run check:grep -- --git-dir DIR [--cases 300] [--seed 1] [--git git] [--spec HEAD]
//
// git takes attributes from the searched tree, as packlens does. A driver of `diff` has headings of
// its own, which packlens does not know: files that have one are left out with -p and -W.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { randomFrom } from '../tests/fixtures/paths-history.mjs'
import { distDir } from './lib/paths.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    cases: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: 'git' },
    spec: { type: 'string', default: 'HEAD' },
  },
})
const gitDir = values['git-dir']
if (!gitDir) throw new Error('usage: npm run check:grep -- --git-dir DIR')
const random = randomFrom(Number(values.seed))
const one = (list) => list[random(list.length)]
const maybe = (often) => random(often) === 0
const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  LC_ALL: 'C.UTF-8',
}

const MOST_TIME = 20_000
function run(program, args, timeout = MOST_TIME) {
  const { status, stdout, stderr } = spawnSync(program, args, { maxBuffer: 1 << 30, env, timeout })
  return { status, stdout, stderr: stderr.toString() }
}
const git = (...args) => run(values.git, ['--git-dir', gitDir, ...args])
const linesOf = (bytes) => bytes.toString('latin1').split('\n').slice(0, -1)

const paths = linesOf(git('ls-tree', '-r', '--name-only', values.spec).stdout).filter(
  (file) => !file.includes('"'),
)
const folders = linesOf(git('ls-tree', '-r', '-d', '--name-only', values.spec).stdout)
const LONGEST_WORD = 12
/** Words of the tree. */
const words = Array.from({ length: 40 }, () => {
  const { stdout } = git('cat-file', 'blob', `${values.spec}:${one(paths)}`)
  const found = stdout.toString('latin1').match(/[A-Za-z_]{3,}/g) ?? ['the']
  return one(found).slice(0, LONGEST_WORD)
})

/** Returns the pieces of an expression, as the syntax writes them. */
const special = (syntax, text) => (syntax === '-E' ? text : `\\${text}`)
function pattern(syntax) {
  const word = () => one(words)
  if (syntax === '-F')
    return one([word, () => `${word()} `, () => one(['.', '*', '(', '[a', '\\'])])()
  const s = (text) => special(syntax, text)
  return one([
    word,
    word,
    () => `^${word()}`,
    () => `${word()}$`,
    () => `^[ \t]*${word()}`,
    () => `${word()}.*${word()}`,
    () => `${word()}${s('|')}${word()}`,
    () => `${s('(')}${word()}${s('|')}${word()}${s(')')}[^a-z]`,
    () => `\\<${word().slice(0, 3)}`,
    () => `${word().slice(-3)}\\>`,
    () => `\\b${word()}\\b`,
    () => `[[:upper:]]${s('{')}4,${s('}')}`,
    () => `[0-9]${s('+')}`,
    () => `${word().slice(0, 4)}${s('?')}x`,
    () => `\\w${s('+')}(${'x'.repeat(random(2))}`.replace('(', syntax === '-E' ? '\\(' : '('),
    () => `^.${s('{')}0,3${s('}')}$`,
    () => '^$',
    () => '\\s$',
    () => '[^[:print:]]',
    () => '\xc3.'.normalize(),
    () => 'é',
    () => `\\B${word().slice(1, 4)}\\B`,
  ])()
}

/** Returns a pathspec with wildcards or magic. */
function pathspec() {
  const end = path.extname(one(paths)) || 'e'
  return one([
    () => [`*${end}`],
    () => [`:(glob)**/*${end}`],
    () => [one(folders), `*${end}`],
    () => [`:!${one(folders)}`],
    () => [`:(icase)${one(folders).toUpperCase()}`],
    () => [`${one(folders)}/*${end}`, `:(exclude)*${one(words)}*`],
  ])()
}

/** Returns the arguments of a random question. */
function question() {
  const args = []
  const syntax = one(['', '-G', '-E', '-E', '-F'])
  if (syntax) args.push(syntax)
  const functions = maybe(8)
  for (const [flag, often] of [
    ['-i', 4],
    ['-w', 5],
    ['-n', 2],
    ['--column', 4],
    ['-h', 8],
    ['-z', 10],
    ['-a', 6],
    ['-I', 8],
    ['--break', 8],
    ['--heading', 8],
    ['--color', 3],
    ['--all-match', 12],
  ]) {
    if (maybe(often)) args.push(flag)
  }
  args.push(...one([['-c'], ['-l'], ['-L'], ['-o'], ['-o'], [], [], [], [], [], [], []]))
  if (maybe(10)) args.push('-v')
  // Near the parts of lines git prints nothing but marks, some of them twice.
  if (!args.includes('-o') && maybe(3)) args.push(one(['-A', '-B', '-C']) + one([0, 1, 2, 5]))
  if (maybe(8)) args.push(`-m${one([0, 1, 2, 7])}`)
  if (functions && !args.includes('-o')) args.push(one(['-p', '-W']))
  if (maybe(8)) args.push('--max-depth', `${random(3)}`)
  const e = () => ['-e', pattern(syntax)]
  args.push(
    ...one([
      e,
      e,
      e,
      () => [...e(), ...e()],
      () => [...e(), '--and', ...e()],
      () => [...e(), '--and', '--not', ...e()],
      () => ['--not', ...e(), '--and', ...e()],
      () => ['(', ...e(), '--or', ...e(), ')', '--and', ...e()],
    ])(),
  )
  // Whole trees take long; a listing without matches is large.
  const isLarge = args.includes('-v') || args.includes('-L')
  const all = functions ? paths.filter((file) => !/\.([ch]|p[lmy]|perl)$/.test(file)) : paths
  const some = Array.from({ length: 1 + random(30) }, () => one(all))
  const selected = one([some, [one(folders)], pathspec(), []])
  const chosen = isLarge || functions ? some : selected
  return [...args, values.spec, '--', ...chosen.filter(Boolean)]
}

const cli = path.join(distDir, 'node', 'cli', 'packlens.cjs')
let [differing, compared, skipped, bytes] = [0, 0, 0, 0]
for (let number = 0; number < Number(values.cases); number++) {
  const args = question()
  // With more threads git loses the first line of some answers.
  const theirs = git(`--attr-source=${values.spec}`, 'grep', '--threads=1', ...args)
  // The expressions of glibc may take minutes for one long line.
  if (theirs.status === null) {
    skipped++
    continue
  }
  compared++
  const own = run(process.execPath, [cli, `--git-dir=${gitDir}`, 'grep', ...args], 10 * MOST_TIME)
  bytes += theirs.stdout.length
  if (theirs.stdout.equals(own.stdout) && theirs.status === own.status) continue
  differing++
  const [mine, other] = [own.stdout, theirs.stdout].map(linesOf)
  const at = mine.findIndex((line, at) => line !== other[at])
  console.log(`differs: git grep ${JSON.stringify(args)}`)
  console.log(`  own ${own.status}, git ${theirs.status}; ${own.stderr.slice(0, 200).trim()}`)
  console.log(`  ${mine.length} lines, git ${other.length}; own  ${(mine[at] ?? '').slice(0, 120)}`)
  console.log(`  git  ${(other[at < 0 ? mine.length : at] ?? '').slice(0, 120)}`)
}
const what = `${compared} compared, ${skipped} too slow for git, ${bytes} bytes of answers`
console.log(`${differing} differ; ${what}`)
process.exitCode = differing > 0 || compared === 0 ? 1 : 0
