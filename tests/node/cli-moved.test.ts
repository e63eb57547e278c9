/** `--color-moved` colors the lines of random moves as git does. */
import { expect, test } from 'vitest'
import { longestShared, type SignedLine } from '../../dist/node/cli/text/longest-shared.js'
import { compareWithGit } from './beside-git.ts'
import { madeHistory } from './recorded-answers.ts'
import { numbersFrom } from './seeded-random.ts'

/** Lines that come again, long ones and such that are too short for a block alone. */
const LINES = ['', '}', '  }', '\t}', 'a line that is long enough', '  a line that is long enough']
const WORDS = [
  'return value',
  'return  value ',
  'x',
  'counter += 1',
  'another line, of twenty letters',
]

/** Returns random whole numbers below an end. */
function wholeNumbersFrom(seed: number): (end: number) => number {
  const next = numbersFrom(seed)
  return (end) => Math.floor(next() * end)
}

/** Returns commits in which runs of lines move within two files and between them. */
function movedHistory(): Buffer {
  const random = wholeNumbersFrom(11)
  const one = (list: readonly string[]) => list[random(list.length)] ?? ''
  let files = [0, 1].map(() => Array.from({ length: 30 }, () => one([...LINES, ...WORDS])))
  const parts: string[] = []
  for (let mark = 1; mark <= 40; mark++) {
    parts.push(
      `commit refs/heads/main\ncommitter A <a@b> ${1_700_000_000 + mark} +0000\ndata 2\nx\n`,
    )
    files.forEach((lines, at) => {
      const text = lines.map((line) => `${line}\n`).join('')
      parts.push(`M 100644 inline f${at}\ndata ${text.length}\n${text}\n`)
    })
    // Runs that end beside each other are blocks of their own.
    const place = random(25)
    for (let moves = 1 + random(5); moves > 0; moves--) {
      const [from, to] = [random(2), random(2)]
      const moved = files[from]?.splice(random(25), 1 + random(8)) ?? []
      // Some blocks are indented otherwise, and of these some lines, with the width of a tab in two ways.
      const indent = ['', '', '  ', '\t', '        ', '\f'][random(6)] ?? ''
      const now = moved.map((line) => (line === '' || random(12) === 0 ? line : indent + line))
      files[to]?.splice(place, 0, ...now)
    }
    files = files.map((lines) => [...lines, ...LINES, ...WORDS].slice(0, 30))
  }
  return Buffer.from(`${parts.join('')}done\n`)
}

const folder = madeHistory('cli-moved', movedHistory)

test.each([
  ...['plain', 'blocks', 'zebra', 'dimmed-zebra'].map((mode) => [`--color-moved=${mode}`]),
  ...['all-space', 'space-change', 'space-at-eol'].map((kind) => {
    return ['--color-moved=zebra', `--color-moved-ws=ignore-${kind}`]
  }),
  ...['plain', 'blocks', 'zebra', 'dimmed-zebra'].map((mode) => {
    return [`--color-moved=${mode}`, '--color-moved-ws=allow-indentation-change']
  }),
])('%s %s', (...options) => {
  const args = ['log', '-p', '--format=%h', '--color', '--no-renames', ...options.filter(Boolean)]
  compareWithGit(folder, ['--git-dir', folder, ...args])
})

test.each([
  ['', false],
  [' of lines with other indentations', true],
])('the longest runs%s are those that a slow search finds', (_, hasIndents) => {
  const random = wholeNumbersFrom(3)
  let found = 0
  for (let round = 0; round < 2000; round++) {
    const lines = Array.from({ length: 1 + random(30) }, (): SignedLine => {
      const [sign, text] = ['+-- '[random(4)] ?? '', ['a', 'b', ''][random(3)] ?? '']
      return hasIndents && text !== '' ? [sign, text, random(3)] : [sign, text]
    })
    const isSame = (one: number, other: number) => {
      const [a, b] = [lines[one], lines[other]]
      return a?.[1] === b?.[1] && a?.[0] !== b?.[0] && a?.[0] !== ' ' && b?.[0] !== ' '
    }
    const goesOn = (at: number) => lines[at]?.[0] === lines[at - 1]?.[0]
    const slow = lines.map((_, at) => {
      const lengths = lines.map((_, other) => {
        let length = 0
        let more: number | undefined
        const isIndented = (one: number, next: number) => {
          const [own, its] = [lines[one]?.[2], lines[next]?.[2]]
          if (own === undefined || its === undefined) return true
          more ??= own - its
          return own - its === more
        }
        while (
          (length === 0 || (goesOn(at + length) && goesOn(other + length))) &&
          at + length < lines.length &&
          other + length < lines.length &&
          isSame(at + length, other + length) &&
          isIndented(at + length, other + length)
        ) {
          length++
        }
        return length
      })
      return Math.max(...lengths)
    })
    const fast = [...longestShared(lines)]
    expect(fast, JSON.stringify(lines)).toEqual(slow)
    found += Math.max(...slow)
  }
  expect(found).toBeGreaterThan(2000)
})

test('the configuration allows other indentations', () => {
  const env = {
    ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_COUNT: '2' },
    ...{ GIT_CONFIG_KEY_0: 'diff.colorMoved', GIT_CONFIG_VALUE_0: 'blocks' },
    ...{ GIT_CONFIG_KEY_1: 'diff.colorMovedWS', GIT_CONFIG_VALUE_1: 'allow-indentation-change' },
  }
  compareWithGit(folder, ['--git-dir', folder, 'log', '-p', '--format=%h', '--color'], { env })
})
