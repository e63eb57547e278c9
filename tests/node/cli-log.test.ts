/** `packlens log` and the commands like it print what git prints, of a history of odd commits. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ClosedPipe } from '../../dist/node/cli/io.js'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { ON_TERMINAL, oddHistory, QUESTIONS, reflogsOf } from '../fixtures/log-history.mjs'
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
