/** Prefixes of ids that several objects share: tests/fixtures/ambiguous.mjs asked git. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from './cli-support.js'
import { loose, makeRepository } from './loose-objects.ts'
import { root } from './support.ts'

interface Recorded {
  readonly objects: readonly { readonly type: string; readonly content: string }[]
  readonly answers: readonly {
    readonly spec: string
    readonly stdout: string
    readonly exit: number
  }[]
}

const file = path.join(root, 'tests', 'fixtures', 'ambiguous.json')
const { objects, answers } = JSON.parse(readFileSync(file, 'utf8')) as Recorded
const folder = mkdtempSync(path.join(tmpdir(), 'packlens-ambiguous-'))

beforeAll(() => {
  makeRepository(folder)
  let tip = ''
  for (const { type, content } of objects) tip = loose(folder, type, content)
  writeFileSync(path.join(folder, 'refs', 'heads', 'main'), `${tip}\n`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each(answers)('rev-parse $spec', ({ spec, stdout, exit }) => {
  const answer = run(folder, ['rev-parse', spec])
  expect([answer.stdout.toString(), answer.exit]).toEqual([stdout, exit])
})
