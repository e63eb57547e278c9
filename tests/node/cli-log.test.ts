/** `packlens log` and the commands like it print what git prints, of a history of odd commits. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ClosedPipe } from '../../dist/node/cli/io.js'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { NOW, oddHistory, QUESTIONS, reflogsOf, ZONE } from '../fixtures/log-history.mjs'
import { run } from './cli-support.ts'
import { root } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cli-log-'))
const zone = process.env.TZ
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

beforeAll(() => {
  process.env.TZ = ZONE
  git(folder, ['init', '-q', '--bare', '--initial-branch=main', folder])
  git(folder, ['fast-import', '--quiet', '--done'], oddHistory())
  for (const [name, text] of Object.entries(reflogsOf(git(folder, ['rev-list', 'main'])))) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
})

interface Recorded {
  readonly args: readonly string[]
  readonly exit: number
  readonly size: number
  readonly sha256: string
  readonly error?: string
}

const recorded: Recorded[] = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'log.json'), 'utf8'),
)

const ask = (args: readonly string[]) =>
  run(folder, ['--git-dir', folder, ...args], { env: { GIT_TEST_DATE_NOW: NOW } })

describe('answers as git', () => {
  test('of all questions', () => {
    expect(recorded.map(({ args }) => args)).toEqual(QUESTIONS)
  })

  test.each(recorded.map((one) => [one.args.join(' '), one] as const))('%s', (_, one) => {
    const { exit, stdout, stderr } = ask(one.args)
    const [error] = stderr.split('\n')
    // A usage is not compared, whatever it says.
    if (one.error?.startsWith('usage:')) expect(error).toMatch(/^usage: packlens/)
    else expect(error).toBe(one.error ?? '')
    expect({ exit, size: stdout.length }).toEqual({ exit: one.exit, size: one.size })
    expect(createHash('sha256').update(stdout).digest('hex')).toBe(one.sha256)
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
