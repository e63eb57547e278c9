/** Damage affects only damaged objects: damaged/record.mjs asked git the same. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Comparable, cases, comparable, withRepository } from '../fixtures/damaged/cases.mjs'
import { root, run, unpacked } from './cli-support.ts'

const recorded = path.join(root, 'tests', 'fixtures', 'damaged', 'answers.json')
const answers: { name: string; answers: Comparable[] }[] = JSON.parse(
  readFileSync(recorded, 'utf8'),
)

test('git was asked about all cases', () => {
  const asked = answers.map(({ name, answers }) => ({ name, asked: answers.map((a) => a.args) }))
  const all = cases.map(({ name, questions }) => ({ name, asked: questions.map((q) => q.args) }))
  expect(asked).toEqual(all)
})

describe.each(cases.map((made) => [made.name, made] as const))('%s', (name, made) => {
  test('is answered as git does', () => {
    const found = withRepository(made, unpacked, (folder) =>
      made.questions.map((question) => {
        const { args, stdin = '' } = question
        return comparable(question, run(folder, args, { stdin }))
      }),
    )
    expect(found).toEqual(answers.find((answer) => answer.name === name)?.answers)
  })
})
