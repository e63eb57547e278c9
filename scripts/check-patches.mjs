#!/usr/bin/env node
// Compares patches of random commits of a repository with git's: with random options, and of many
// commits with those that users type.
//
//   npm run check:patches -- --git-dir DIR [--cases 500] [--seed 1] [--git git]
//       [--commits 2000] [--merges 500] [--scores 500]
//
// git before 2.54 answers otherwise with some algorithms: see docs/decisions/030-own-text-diff.md.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { openSync } from 'packlens'
import { randomFrom } from '../tests/fixtures/paths-history.mjs'
import { BARS, compareBar, gitRunner } from './lib/patch-bars.mjs'

const { values } = parseArgs({
  options: {
    'git-dir': { type: 'string' },
    cases: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    git: { type: 'string', default: 'git' },
    commits: { type: 'string', default: '2000' },
    merges: { type: 'string', default: '500' },
    scores: { type: 'string', default: '500' },
  },
})
const gitDir = values['git-dir']
if (!gitDir) throw new Error('usage: npm run check:patches -- --git-dir DIR')
const random = randomFrom(Number(values.seed))
const one = (list) => list[random(list.length)]

/** Options of packlens, and git's flags for them. */
const CHOICES = [
  [[{}, []], ...['minimal', 'patience', 'histogram'].map(algorithm)],
  [[{}, []], [{}, []], ...SPACES().map(([ignoreSpace, flag]) => [{ ignoreSpace }, [flag]])],
  [
    [{}, []],
    [{}, []],
    [{ ignoreBlankLines: true }, ['--ignore-blank-lines']],
  ],
  [
    [{}, []],
    [{}, []],
    [{ indentHeuristic: false }, ['--no-indent-heuristic']],
  ],
  [[{}, []], ...[0, 1, 8].map((context) => [{ context }, [`-U${context}`]])],
  [
    [{}, []],
    [{}, []],
    [{ interHunkContext: 4 }, ['--inter-hunk-context=4']],
  ],
  [
    [{}, []],
    [{}, []],
    [{}, []],
    [{ reverse: true }, ['-R']],
    [{ functionContext: true }, ['-W']],
    [{ ignoreLines: ['^[[:space:]]*[/#*]', '[0-9]'] }, ['-I^[[:space:]]*[/#*]', '-I[0-9]']],
    [{ irreversibleDelete: true }, ['-D']],
  ],
  [
    ...[
      [{}, []],
      [{}, []],
      [{}, []],
    ],
    [{ wordDiff: true }, ['--word-diff=porcelain']],
    [{ wordDiff: '[a-z]+|.' }, ['--word-diff=porcelain', '--word-diff-regex=[a-z]+|.']],
  ],
  [
    [{}, ['--no-renames']],
    [{ renames: true }, ['-M']],
    [{ renames: 'copies', similarity: 70 }, ['-C70%']],
    [{ renames: 'copies-of-any' }, ['-C', '-C']],
    [{ renames: true, rewrites: true }, ['-M', '-B']],
  ],
  [
    [{}, ['--full-index']],
    [{ abbrev: 'auto' }, []],
    [{ abbrev: 12 }, ['--abbrev=12']],
  ],
]

/** The revisions whose attributes count, and git's flags before the command, of git 2.41. */
const ATTRIBUTES = [
  [{}, []],
  [{ attributes: 'HEAD' }, ['--attr-source=HEAD']],
]

/** What limits a comparison. */
const PATHSPECS = [
  [],
  [],
  [],
  ['*.c'],
  [':!*.c'],
  ['src', 'tests/*'],
  [':(glob,icase)**/*[A-M]*.?'],
]

function algorithm(name) {
  return [{ algorithm: name }, [`--diff-algorithm=${name}`]]
}

function SPACES() {
  return [
    ['cr-at-eol', '--ignore-cr-at-eol'],
    ['at-eol', '--ignore-space-at-eol'],
    ['amount', '-b'],
    ['all', '-w'],
  ]
}

const git = gitRunner(values.git, gitDir)

/** Patterns that texts of any kind may have. */
const PATTERNS = [
  '^$',
  '^[[:space:]]+[a-z]+\\b',
  '[A-Z]{3,}|TODO',
  '\\<the\\>',
  '[^;]$',
  '.',
  '\\W\\W',
]

/** Chooses by a text that a change has, or by a pattern: options of packlens, and git's flags. */
function pickaxe(patches) {
  const lines = patches.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines))
  const text = lines.length > 0 ? one(lines).text : ''
  const start = random(Math.max(text.length, 1))
  const string = text
    .slice(start, start + 1 + random(12))
    .replaceAll(/[\0\uD800-\uDFFF\uFFFD]/g, '')
  const escaped = string.replaceAll(/[^\w\s]/g, '[$&]').replaceAll(/\[([\^\\])\]/g, '\\$1')
  const pattern = string === '' || random(3) === 0 ? one(PATTERNS) : escaped
  const ignoreCase = random(4) === 0
  const all = random(4) === 0
  const others = [...(ignoreCase ? ['-i'] : []), ...(all ? ['--pickaxe-all'] : [])]
  const kind = random(string === '' ? 2 : 3)
  const asked = [{ string: pattern, regex: true }, { pattern }, { string }][kind]
  const flags = [[`-S${pattern}`, '--pickaxe-regex'], [`-G${pattern}`], [`-S${string}`]][kind]
  return [{ pickaxe: { ...asked, ignoreCase, all } }, [...flags, ...others]]
}

const repo = openSync(gitDir)
const commits = git(['rev-list', '--all', '--no-merges', '--min-parents=1'])
  .toString()
  .trim()
  .split('\n')
let compared = 0
let files = 0
let differences = 0
for (let at = 0; at < Number(values.cases); at++) {
  const commit = one(commits)
  // The changes of a commit; sometimes those since another one.
  const old = random(8) === 0 ? `${commit}~${1 + random(30)}` : `${commit}^`
  const from = spawnSync(values.git, ['--git-dir', gitDir, 'rev-parse', '-q', '--verify', old])
  if (from.status !== 0) continue
  const chosen = CHOICES.map(one)
  const pathspec = one(PATHSPECS)
  const options = Object.assign({ pathspec }, ...chosen.map(([option]) => option))
  const flags = chosen.flatMap(([, flag]) => flag)
  const [attributes, before] = one(ATTRIBUTES)
  Object.assign(options, attributes)
  if (random(3) === 0) {
    const [option, flag] = pickaxe([...repo.patches(old, commit, options)])
    Object.assign(options, option)
    flags.push(...flag)
  }
  const shared = [...before, 'diff-tree', '-r', ...flags]
  const expected = git([...shared, '-p', old, commit, '--', ...pathspec])
  const patches = [...repo.patches(old, commit, options)]
  compared++
  files += patches.length
  if (!Buffer.concat(patches.map(({ bytes }) => bytes)).equals(expected)) {
    differences++
    console.log(`differs: git ${[...shared, '-p', old, commit, '--', ...pathspec].join(' ')}`)
  }
  // With `-U` git prints a patch, too. The context decides which blank lines are left out.
  const numstat = shared.filter((flag) => !flag.startsWith('-U'))
  const [added, removed] = git([...numstat, '--numstat', old, commit, '--', ...pathspec])
    .toString('latin1')
    .split('\n')
    .reduce(
      ([plus, minus], line) => {
        const [more = '', less = ''] = line.split('\t')
        return [plus + (Number(more) || 0), minus + (Number(less) || 0)]
      },
      [0, 0],
    )
  const isTyped = patches.some(({ path }, at) => patches[at + 1]?.path === path)
  const plain = { ...options, context: 3, functionContext: false, wordDiff: false }
  const counted = [...repo.patches(old, commit, plain)]
  const sum = (field) => counted.reduce((all, patch) => all + patch[field], 0)
  if (!isTyped && (sum('added') !== added || sum('removed') !== removed)) {
    differences++
    console.log(
      `counts differ: git ${[...numstat, '--numstat', old, commit, '--', ...pathspec].join(' ')}`,
    )
  }
  // Of deleted files there are numbers, and no lines; words have no lines either.
  const listed = options.irreversibleDelete || options.wordDiff ? [] : patches
  for (const { hunks, added: plus, removed: minus, path } of listed) {
    const lines = hunks.flatMap((hunk) => hunk.lines)
    const count = (kind) => lines.filter((line) => line.kind === kind).length
    if (count('added') === plus && count('removed') === minus) continue
    differences++
    console.log(`hunks differ from the counts: ${path} in ${commit}`)
  }
}
console.log(`${compared} comparisons of ${files} files, ${differences} differences`)
for (const [name, bar] of Object.entries(BARS)) {
  const found = compareBar(bar, { repo, git, random, number: Number(values[name]) })
  differences += found.differences
  console.log(`${found.compared} ${bar.what}: ${found.differences} differences`)
}
process.exitCode = differences === 0 ? 0 : 1
