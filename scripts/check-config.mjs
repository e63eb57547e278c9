#!/usr/bin/env node
// Compares the configurations that packlens reads with git's answers: random files with includes,
// conditions and damage; of a main and of a linked worktree.
//
//   npm run check:config -- [--cases 1000] [--seed 1] [--git git] [--show]
//
// What git does with an include that it cannot read, such as a directory, is not asked.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openSync } from 'packlens'
import { randomFrom } from '../tests/fixtures/paths-history.mjs'
import { configsFrom, makeWorktrees, writeConfigs } from '../tests/fixtures/random-configs.mjs'

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: 'git' },
    show: { type: 'boolean', default: false },
  },
})
const random = randomFrom(Number(values.seed))
const one = (list) => list[random(list.length)]
const maybe = (often) => random(often) === 0
const randomFiles = configsFrom(random)

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'packlens-config-')))
const gitDirs = makeWorktrees(folder)
const HOME = path.join(folder, 'Main')
const env = {
  ...process.env,
  HOME,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  LC_ALL: 'C.UTF-8',
}

const latin1 = (bytes) => Buffer.from(bytes).toString('latin1')

/** Returns git's answer: variables, or why there is none. */
function gitAnswer(place, flags) {
  const cwd = path.join(folder, place)
  const args = ['config', ...flags, '--list', '-z', '--show-scope', '--show-origin']
  const { status, stdout, stderr } = spawnSync(values.git, args, { cwd, env })
  // git 2.55 ends by a signal where a URL has no value.
  if (status === null) return null
  if (status !== 0) return refusal(stderr.toString('latin1'))
  return stdout.toString('latin1').split('\0').slice(0, -1)
}

function refusal(stderr) {
  const [, line, , file] =
    /bad config (?:line|variable) ?(\d+)?(?:'[^']*')? in (file )?(.*?)(?: at line (\d+))?$/m.exec(
      stderr,
    ) ?? []
  if (line) return `line ${line} of ${path.basename(file)}`
  if (/maximum include depth/.test(stderr)) return 'depth'
  if (/remote URLs cannot be configured/.test(stderr)) return 'urls'
  return `refused: ${stderr}`
}

function ownAnswer(place, { scope, includes }) {
  const repo = openSync(path.join(folder, place))
  try {
    const config = repo.config({ gitDir: gitDirs[place], home: HOME, scope, includes })
    return config.list().flatMap(({ scope: own, file, nameBytes, valueBytes }) => {
      const from = own === 'local' ? gitDirs.Main : gitDirs[place]
      const origin = path.isAbsolute(file) ? file : `${from}/${file}`
      const name = latin1(nameBytes)
      // Where one file is asked for, git calls it local.
      return [scope ? 'local' : own, origin, valueBytes ? `${name}\n${latin1(valueBytes)}` : name]
    })
  } catch (error) {
    if (error.code !== 'CORRUPT') throw error
    if (/^(bad config line|missing value)/.test(error.message)) {
      return `line ${error.subject} of ${path.basename(error.file ?? '')}`
    }
    if (/maximum include depth/.test(error.message)) return 'depth'
    return 'urls'
  } finally {
    repo.close()
  }
}

/** Files are compared by their names: git's paths depend on the current directory. */
const comparable = (answer) =>
  Array.isArray(answer)
    ? answer.map((one, at) => (at % 3 === 1 ? path.basename(one) : one)).join('\n')
    : answer

const counts = { equal: 0, variables: 0, refused: 0, otherwise: 0, unanswered: 0 }
const differing = []
for (let number = 0; number < Number(values.cases); number++) {
  const usesOwn = maybe(3)
  const place = one(['Main', 'linked'])
  const given = randomFiles(place, usesOwn)
  writeConfigs(folder, given)
  const [flags, options] = one([
    [[], {}],
    [[], {}],
    [['--local'], { scope: 'local', includes: false }],
    [['--local', '--includes'], { scope: 'local' }],
    ...(usesOwn ? [[['--worktree', '--includes'], { scope: 'worktree' }]] : []),
  ])
  // git reads everything before it looks at the flags.
  const all = gitAnswer(place, [])
  const expected = Array.isArray(all) && flags.length > 0 ? gitAnswer(place, flags) : all
  if (expected === null) {
    counts.unanswered++
    continue
  }
  const answer = ownAnswer(place, Array.isArray(expected) ? options : {})
  if (comparable(expected) === comparable(answer)) {
    counts.equal++
    if (Array.isArray(answer)) counts.variables += answer.length / 3
    else counts.refused++
  } else if (!Array.isArray(expected) && !Array.isArray(answer)) {
    // git reads some of it before it knows the branch.
    counts.otherwise++
  } else differing.push({ number, place, flags, expected, answer, given })
}
rmSync(folder, { recursive: true })
for (const { number, place, flags, expected, answer, given } of differing.slice(0, 5)) {
  console.log(`case ${number}, ${place}, git config ${flags.join(' ')}`)
  if (!values.show) continue
  console.log(`git: ${JSON.stringify(expected)}\npacklens: ${JSON.stringify(answer)}`)
  for (const [file, content] of Object.entries(given)) {
    console.log(`${file}: ${JSON.stringify(content)}`)
  }
}
console.log(
  `${counts.equal} equal, of which ${counts.refused} refused by both, with ${counts.variables} variables; ` +
    `${counts.otherwise} refused by both for other reasons; ${differing.length} differ; ` +
    `${counts.unanswered} that git did not answer`,
)
process.exitCode = differing.length > 0 ? 1 : 0
