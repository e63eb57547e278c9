/** Wrong files beside the objects, reported as git does: fsck-files.mjs asked git. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Change, changes, lay, REPORTED, withChange } from '../fixtures/changed-files.mjs'
import { root, run, unpacked } from './cli-support.ts'

interface Answer {
  readonly change: Change
  readonly isWrong: boolean
  readonly told: readonly string[]
}

const recorded = path.join(root, 'tests', 'fixtures', 'fsck-files.json')
const answers: Answer[] = JSON.parse(readFileSync(recorded, 'utf8'))

const BITS = { info: 16, pack: 32, reverse: 64 } as const

test('git was asked about all changes', () => {
  expect(answers.map(({ change }) => change)).toEqual(changes(unpacked))
})

const kinds = [...new Set(answers.map(({ change: { hash, kind } }) => `${hash} ${kind}`))]

test.each(kinds)('%s', (name) => {
  const top = mkdtempSync(path.join(tmpdir(), 'packlens-fsck-'))
  const folder = path.join(top, 'changed.git')
  const own = answers.filter(({ change: { hash, kind } }) => `${hash} ${kind}` === name)
  for (const [at, { change, isWrong, told }] of own.entries()) {
    if (at === 0) lay(change, unpacked, folder)
    const ask = () => run(folder, ['fsck', '--no-dangling'])
    const { exit, stderr } = withChange(change, folder, ask)
    const bit = BITS[change.file.endsWith('.rev') ? 'reverse' : change.folder]
    const lines = stderr.split('\n').filter((line) => REPORTED.test(line))
    const found = { change, isWrong: ((exit ?? 0) & bit) !== 0, told: lines.sort() }
    expect(found).toEqual({ change, isWrong, told })
  }
  rmSync(top, { recursive: true })
})
