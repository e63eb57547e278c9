/** Short refnames that several refs share: tests/fixtures/ambiguous-refnames.mjs asked git. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from './cli-support.js'
import { loose, makeRepository } from './loose-objects.ts'
import { root } from './support.ts'

interface Recorded {
  readonly commit: string
  readonly refs: readonly string[]
  readonly symbolic: Readonly<Record<string, string>>
  readonly answers: readonly {
    readonly config: string
    readonly args: readonly string[]
    readonly stdout: string
    readonly stderr: string
    readonly exit: number
  }[]
}

const file = path.join(root, 'tests', 'fixtures', 'ambiguous-refnames.json')
const { commit, refs, symbolic, answers } = JSON.parse(readFileSync(file, 'utf8')) as Recorded
const folder = mkdtempSync(path.join(tmpdir(), 'packlens-refnames-'))

beforeAll(() => {
  makeRepository(folder)
  loose(folder, 'tree', '')
  const oid = loose(folder, 'commit', commit)
  for (const name of refs) write(name, `${oid}\n`)
  for (const [name, target] of Object.entries(symbolic)) write(name, `ref: ${target}\n`)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): void {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

test.each(answers)('$args with $config', ({ config, args, stdout, stderr, exit }) => {
  write('config', `[core]\n\trepositoryFormatVersion = 0\n\tbare\n${config}`)
  const answer = run(folder, args)
  const { stdout: printed, stderr: said } = answer
  expect([printed.toString(), said.toString(), answer.exit]).toEqual([stdout, stderr, exit])
})
