/** `rev-list --bisect` and its like: the commit that halves a history, and the refs of `git bisect`. */
import { appendFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { reachOfMerges } from '../../dist/node/cli/log/reach.js'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { compareWithGit } from './beside-git.ts'
import { madeHistory } from './recorded-answers.ts'
import { numbersFrom } from './seeded-random.ts'

const HOW = ['--bisect', '--bisect-vars', '--bisect-all']

interface Commit {
  readonly parents: number[]
  readonly counts: boolean
}

/** Returns a history of which some parents come before their children. */
function randomHistory(seed: number, count: number): Commit[] {
  const next = numbersFrom(seed)
  const below = (end: number) => Math.floor(next() * end)
  const commits = Array.from({ length: count }, (_, number) => {
    const wanted = number === 0 ? 0 : ([1, 1, 1, 2, 2, 3, 0][below(7)] ?? 0)
    const parents = Array.from({ length: wanted }, () => Math.max(0, number - 1 - below(8)))
    return { parents: [...new Set(parents)], counts: below(4) > 0 }
  })
  // A list begins with the newest commit, unless dates are wrong.
  const place = commits.map((_, number) => count - 1 - number)
  for (let swap = 0; swap < count / 10; swap++) {
    const [one, other] = [below(count), below(count)]
    ;[place[one], place[other]] = [place[other] ?? 0, place[one] ?? 0]
  }
  const listed: Commit[] = []
  commits.forEach(({ parents, counts }, number) => {
    listed[place[number] ?? 0] = { parents: parents.map((one) => place[one] ?? 0), counts }
  })
  return listed
}

/** Counts by a search of its own what a commit reaches. */
function searched(commits: readonly Commit[], start: number): number {
  const seen = new Set([start])
  for (const number of seen) for (const one of commits[number]?.parents ?? []) seen.add(one)
  return [...seen].filter((number) => commits[number]?.counts).length
}

test.each([1, 2, 3, 4, 5, 31, 32, 33, 100, 700])('what merges of %i commits reach', (count) => {
  const commits = randomHistory(count, count)
  const expected = commits.map(({ parents }, at) => {
    return parents.length > 1 ? searched(commits, at) : -1
  })
  expect([...reachOfMerges(commits)]).toEqual(expected)
})

test('what the merges of a long history reach', () => {
  // A ladder: a search per merge would visit 1,800,000,000 commits.
  const count = 60_000
  const commits = Array.from({ length: count }, (_, number) => ({
    parents: [number + 1, number + 2].filter((parent) => parent < count),
    counts: true,
  }))
  const found = reachOfMerges(commits)
  expect(
    found.findIndex((reached, number) => number < count - 2 && reached !== count - number),
  ).toBe(-1)
})

const folder = madeHistory('cli-bisect', () => linesHistory(29, 400))
// A usage is not compared, whatever it says.
const messages = (text: string, exit: number | null) => (exit === 129 ? '' : text)
const ask = (...args: string[]) =>
  compareWithGit(folder, ['--git-dir', folder, 'rev-list', ...args], { messages })

describe('answers as git', () => {
  let commits: string[] = []
  beforeAll(() => {
    const tips = git(folder, ['for-each-ref', '--format=%(objectname)'])
    const lists = tips.map((tip) => git(folder, ['rev-list', tip]))
    commits = lists.reduce((longest, one) => (one.length > longest.length ? one : longest))
    expect(commits.length).toBeGreaterThan(120)
  })

  test.each(HOW)('%s of ranges', (how) => {
    ask(how, '--all')
    for (let start = 0; start < 30; start += 3) {
      const [newest = '', oldest = ''] = [commits[start], commits[start * 2 + 20]]
      ask(how, newest)
      ask(how, newest, `^${oldest}`)
    }
  })

  test.each([[], ['--full-history'], ['--first-parent']])('ranges of paths %s', (...mode) => {
    const paths = git(folder, ['ls-tree', '-r', '--name-only', commits[0] ?? ''])
    expect(paths.length).toBeGreaterThan(1)
    for (const how of HOW) {
      // Nothing of a range may change a path; no commit changes the last one.
      for (const path of [...paths.slice(0, 3), 'nothing']) {
        ask(how, ...mode, commits[0] ?? '', '--', path)
        ask(how, ...mode, commits[1] ?? '', `^${commits[9]}`, '--', path)
      }
      ask(how, ...mode, '--all', '--', ...paths.slice(0, 2))
      ask(how, ...mode, '--count', '--format=%h', '--all', '--', ...paths.slice(1))
    }
    ask('--bisect-all', '--bisect-vars', ...mode, commits[0] ?? '', '--', 'nothing')
  })

  describe.each([
    ['its own words', []],
    ['chosen words', ['--term-new=fixed', '--term-old=broken']],
  ] as const)('a search of git bisect with %s', (_, terms) => {
    const [bad, good] = terms.length > 0 ? ['fixed', 'broken'] : ['bad', 'good']
    const askAll = () => {
      for (const how of HOW) {
        ask(how)
        ask('--bisect', how)
        ask('--bisect', how, '--first-parent')
        ask(how, commits[3] ?? '')
      }
      ask('--bisect', '--bisect-all', '--pretty=oneline')
    }

    test('which begins, goes on, and ends', () => {
      const bisect = (...args: string[]) => git(folder, ['bisect', ...args])
      bisect('start', '--no-checkout', ...terms)
      askAll()
      bisect(bad, commits[2] ?? '')
      askAll()
      bisect(good, commits[90] ?? '')
      askAll()
      for (const word of [good, bad, good]) {
        bisect(word, ...git(folder, ['rev-list', '--bisect']))
        askAll()
      }
      bisect('reset')
      askAll()
    })
  })

  test('refs of words that BISECT_TERMS has, or not', () => {
    const file = path.join(folder, 'BISECT_TERMS')
    const point = (name: string, at: number) => {
      git(folder, ['update-ref', `refs/bisect/${name}`, commits[at] ?? ''])
    }
    point('worse', 0)
    point('bad', 1)
    point('good-1', 60)
    ask('--bisect', '--bisect-all')
    appendFileSync(file, 'worse\nbetter\n')
    ask('--bisect', '--bisect-all')
    point('better-2', 30)
    ask('--bisect', '--bisect-all')
    rmSync(file)
    ask('--bisect', '--bisect-all')
  })
})
