/** `packlens log` and the commands like it print what git prints, of a history of odd commits. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ClosedPipe } from '../../dist/node/cli/base/io.js'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { ON_TERMINAL } from '../fixtures/log-colors.mjs'
import { oddHistory, reflogsOf } from '../fixtures/log-history.mjs'
import { QUESTIONS } from '../fixtures/log-questions.mjs'
import { CONFIGURED } from '../fixtures/log-settings.mjs'
import { run } from './cli-support.ts'
import { expectRecorded, madeHistory, type Recorded, recordedIn } from './recorded-answers.ts'

const folder = madeHistory('cli-log', oddHistory)
beforeAll(() => {
  for (const [name, text] of Object.entries(reflogsOf(git(folder, ['rev-list', 'main'])))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
})

const recorded = recordedIn('log.json')
const nameOf = ({ args, toTerminal, config }: Recorded) => {
  const where = toTerminal ? ', shown' : ''
  return `${args.join(' ')}${where}${config ? ` with ${config.replace(/\s+/g, ' ')}` : ''}`
}

describe('answers as git', () => {
  test('of all questions', () => {
    expect(recorded.map(({ args }) => args)).toEqual([
      ...QUESTIONS,
      ...ON_TERMINAL,
      ...CONFIGURED.map(({ args }) => args),
    ])
  })

  test.each(recorded.map((one) => [nameOf(one), one] as const))('%s', (_, one) => {
    const file = path.join(folder, 'config')
    const plain = readFileSync(file, 'utf8')
    try {
      if (one.config !== undefined) writeFileSync(file, plain + one.config)
      expectRecorded(folder, one)
    } finally {
      writeFileSync(file, plain)
    }
  })
})

test('lists the same commits if the value of --diff-filter is an argument of its own', () => {
  const [joined, separate] = [['--diff-filter=A'], ['--diff-filter', 'A']].map((filter) =>
    run(folder, ['log', '--format=%s', ...filter, 'main']),
  )
  expect(joined?.stdout).not.toEqual(run(folder, ['log', '--format=%s', 'main']).stdout)
  expect(separate).toEqual(joined)
})

describe('a history of many commits', () => {
  const many = path.join(folder, 'many')

  beforeAll(() => {
    git(many, ['init', '-q', '--bare', '--initial-branch=main', many])
    git(many, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 300))
  })

  const list = ['--git-dir', many, 'log', '--all', '--format=%h']

  test('is shown while it is walked', () => {
    const { exit, writes } = run(folder, list)
    expect(exit).toBe(0)
    // All commits would fit in one page.
    expect(writes.length).toBeGreaterThan(2)
    expect(writes[0]?.length).toBeLessThan(1000)
  })

  test('of lines is shown while it is walked', () => {
    const lost = path.join(folder, 'lost')
    git(lost, ['init', '-q', '--bare', '--initial-branch=main', lost])
    git(
      lost,
      ['-c', 'fastimport.unpackLimit=1000000', 'fast-import', '--quiet', '--done', '--force'],
      linesHistory(23, 300),
    )
    const [tip = ''] = git(lost, [
      'for-each-ref',
      '--format=%(objectname)',
      '--sort=-committerdate',
    ])
    const lines = ['log', '-L1,20:two.c', '--format=%h', '-s', tip]
    const expected = git(lost, lines).map((line) => `${line}\n`)
    expect(expected.length).toBeGreaterThan(9)
    expect(run(folder, ['--git-dir', lost, ...lines]).writes.map(String)).toEqual(expected)
    // Without the file of the last commit, those before it are shown nevertheless.
    const [blob = ''] = git(lost, ['rev-parse', `${expected.at(-1)?.trim()}:two.c`])
    rmSync(path.join(lost, 'objects', blob.slice(0, 2), blob.slice(2)))
    const { exit, stderr, writes } = run(folder, ['--git-dir', lost, ...lines])
    expect({ exit, stderr }).toEqual({ exit: 128, stderr: `fatal: unable to read ${blob}\n` })
    expect(writes.length).toBeGreaterThan(expected.length / 2)
    expect(writes.map(String)).toEqual(expected.slice(0, writes.length))
  })

  test('ends when the reader has closed the pipe', () => {
    let count = 0
    const onWrite = () => {
      count++
      throw new ClosedPipe()
    }
    const { exit, stderr } = run(folder, list, { onWrite })
    expect({ exit, stderr, count }).toEqual({ exit: 141, stderr: '', count: 1 })
  })
})

test('options of rev-list that log ignores', () => {
  const plain = run('tiny', ['log'])
  expect(plain.stdout.length).toBeGreaterThan(100)
  expect(run('tiny', ['log', '--count'])).toEqual(plain)
  expect(run('tiny', ['log', '--objects'])).toEqual(plain)
  expect(run('tiny', ['log', '--use-bitmap-index'])).toMatchObject({
    exit: 128,
    stderr: 'fatal: unrecognized argument: --use-bitmap-index\n',
  })
})
