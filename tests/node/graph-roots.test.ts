/** Graphs of histories with several roots, as the newest git draws them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { OPTIONS, QUESTIONS, rootsHistory } from '../fixtures/roots-history.mjs'
import { run } from './cli-support.ts'
import { madeHistory } from './recorded-answers.ts'
import { root } from './support.ts'

interface Drawn {
  readonly config: readonly string[]
  readonly args: readonly string[]
  readonly exit: number
  readonly output?: string
  readonly error?: string
}

const drawn: Drawn[] = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'graph-roots.json'), 'utf8'),
)

const folder = madeHistory('graph-roots', rootsHistory)

test('all questions are recorded', () => {
  const asked = drawn.map(({ config, args }) => [config, args])
  expect(asked).toEqual([...QUESTIONS.map((args) => [[], args]), ...OPTIONS])
})

test.each(drawn.map((one) => [[...one.config, ...one.args].join(' '), one] as const))(
  '%s',
  (_, { config, args, exit, output = '', error = '' }) => {
    const set = config.flatMap((one) => ['-c', one])
    const answer = run(folder, ['--git-dir', folder, ...set, ...args])
    expect([answer.stdout.toString(), answer.stderr, answer.exit]).toEqual([output, error, exit])
  },
)
