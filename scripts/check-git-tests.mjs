#!/usr/bin/env node
// Runs git's own tests of reading commands, from a built checkout, with a `git` that asks packlens.
//
//   npm run check:git-tests -- --suite DIR [--git PATH] [--own] [--keep DIR] [name ...]
//
// Each call of a command that packlens has is answered by both programs, and their output and exit
// codes are compared; tests get git's answers, so that one run finds every call that differs. With
// `--own` they get those of packlens, but for calls that it refuses. Names are subjects (`log`) or
// begin names of scripts (`t4202`). The calls that differ are kept in `--keep`. Calls that are not
// about reading a repository are counted by their reason: `lib/git-tests/elsewhere.mjs`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { reasonOf } from './lib/git-tests/elsewhere.mjs'
import { SUBJECTS, subjectOf } from './lib/git-tests/scripts.mjs'
import { writeWrapper } from './lib/git-tests/wrapper.mjs'

const MINUTES = 8

const { values, positionals } = parseArgs({
  options: {
    suite: { type: 'string' },
    git: { type: 'string' },
    own: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
  allowPositionals: true,
})
const suite = path.resolve(values.suite ?? '')
const tests = path.join(suite, 't')
if (values.suite === undefined || !existsSync(path.join(tests, 'helper', 'test-tool'))) {
  console.error("--suite DIR: a checkout of git's repository in which `make` was run")
  process.exit(2)
}
const git = path.resolve(values.git ?? path.join(suite, 'bin-wrappers', 'git'))
const folder = mkdtempSync(path.join(tmpdir(), 'git-tests-'))
const calls = path.resolve(values.keep ?? path.join(folder, 'calls'))
mkdirSync(calls, { recursive: true })
writeWrapper(path.join(folder, 'bin'), { git, calls, compare: !values.own })

const isChosen = (name) =>
  positionals.length === 0 ||
  positionals.some((one) => (one in SUBJECTS ? subjectOf(name) === one : name.startsWith(one)))
const scripts = readdirSync(tests).filter(
  (name) => name.endsWith('.sh') && subjectOf(name) && isChosen(name),
)

/** Returns what a script printed, with the calls among it in their order. */
function outputOf(script) {
  const env = { ...process.env, GIT_TEST_INSTALLED: path.join(folder, 'bin') }
  Object.assign(env, { TEST_OUTPUT_DIRECTORY: folder, TEST_NO_MALLOC_CHECK: '1' })
  const args = [script, '--verbose-log', '--no-chain-lint', `--root=${path.join(folder, 'trash')}`]
  const options = { cwd: tests, env, stdio: ['ignore', 'ignore', 'ignore'], timeout: MINUTES * 6e4 }
  const { status } = spawnSync('sh', args, options)
  const file = path.join(folder, 'test-results', script.replace(/\.sh$/, '.out'))
  return { ended: status !== null, text: existsSync(file) ? readFileSync(file, 'latin1') : '' }
}

const BEGIN = /^(?:expecting success of|checking known breakage of) \d+\.(\d+) /
const END = /^(not )?ok (\d+) - .*?( # TODO| # skip)?/
const CALL = /^packlens-call (\S+) (\S+) (\S+)$/

/** Returns the cases of a script, each with the kinds of its calls. */
function casesOf(text) {
  const cases = new Map()
  const at = (number) => {
    if (!cases.has(number)) cases.set(number, { calls: [], failed: false })
    return cases.get(number)
  }
  let current = 0
  for (const line of text.split('\n')) {
    const [, begun] = BEGIN.exec(line) ?? []
    const [, kind, command, call] = CALL.exec(line) ?? []
    const [, not, ended] = END.exec(line) ?? []
    if (begun) current = Number(begun)
    else if (kind) at(current).calls.push({ kind, command, call })
    else if (ended && not && !line.includes('# TODO')) at(Number(ended)).failed = true
  }
  return [...cases.values()]
}

const counts = (all, key) => {
  const count = {}
  for (const one of all) count[key(one)] = (count[key(one)] ?? 0) + 1
  return count
}

/** A case counts as what its worst call is; one without calls is not about packlens. */
function kindOf({ calls, failed }) {
  if (failed) return 'failed'
  const kinds = new Set(calls.map((one) => one.kind))
  return (
    ['differs', 'refused', 'elsewhere', 'same', 'own'].find((kind) => kinds.has(kind)) ?? 'none'
  )
}

/** Returns a call with what was asked, and as of another kind if it is not about reading. */
function described(script, one) {
  if (one.kind !== 'refused' && one.kind !== 'differs') return one
  const read = (name) => readFileSync(path.join(calls, one.call, name), 'utf8')
  const asked = { args: read('arguments').split('\0').slice(0, -1), error: read('error') }
  const reason = reasonOf({ ...one, ...asked, script, answer: read('theirs') })
  const codes = read('codes').trim()
  return { ...one, ...asked, codes, reason, kind: reason === null ? one.kind : 'elsewhere' }
}

const show = (count) =>
  Object.entries(count)
    .sort()
    .map(([name, number]) => `${name} ${number}`)
    .join(', ')

const all = []
for (const script of scripts) {
  const { ended, text } = outputOf(script)
  const cases = casesOf(text).map(({ calls, failed }) => {
    const all = calls.map((one) => described(script, one))
    return { calls: all, script, kind: kindOf({ calls: all, failed }) }
  })
  all.push(...cases)
  console.log(`${script}: ${show(counts(cases, kindOf))}${ended ? '' : '; took too long'}`)
}
console.log('\ncases by subject')
for (const subject of Object.keys(SUBJECTS)) {
  const own = all.filter(({ script, kind }) => subjectOf(script) === subject && kind !== 'none')
  if (own.length === 0) continue
  const count = counts(own, kindOf)
  const reading = own.length - (count.elsewhere ?? 0)
  const share = ((((count.same ?? 0) + (count.own ?? 0)) / reading) * 100).toFixed(1)
  console.log(`${subject}: ${own.length} cases: ${show(count)}; as git: ${share} % of ${reading}`)
  const reasons = own
    .filter(({ kind }) => kind === 'elsewhere')
    .map((one) => one.calls.find(({ kind }) => kind === 'elsewhere').reason)
  if (reasons.length > 0) console.log(`  elsewhere: ${show(counts(reasons, (one) => one))}`)
}
console.log('\ncalls by command')
const every = all.flatMap((one) => one.calls.map((call) => ({ ...call, script: one.script })))
for (const command of [...new Set(every.map((one) => one.command))].sort()) {
  const own = every.filter((one) => one.command === command)
  console.log(`${command}: ${own.length} calls: ${show(counts(own, (one) => one.kind))}`)
}

for (const kind of ['refused', 'differs', 'elsewhere']) {
  console.log(`\n${kind}`)
  for (const one of every.filter((one) => one.kind === kind)) {
    const { script, call, args, codes, error, reason } = one
    const why = reason === null ? '' : ` [${reason}]`
    console.log(`${script} ${call}: git ${args.join(' ')} (${codes}) ${error.split('\n')[0]}${why}`)
  }
}
rmSync(folder, { recursive: true, force: true })
process.exit(all.some(({ kind }) => kind === 'differs' || kind === 'failed') ? 1 : 0)
