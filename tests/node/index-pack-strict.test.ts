/** Strict checks of packs, compared with git's answers: tests/fixtures/strict-packs.mjs asked git. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { indexPack, type PackFinding } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { run, unpacked } from './cli-support.ts'
import { errorOf, root } from './support.ts'

interface Answer {
  readonly format: 'sha1' | 'sha256'
  readonly name: string
  readonly option: string
  readonly packs: readonly string[]
  /** The content of the skip list. */
  readonly skipped?: string
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

const recorded = path.join(root, 'tests', 'fixtures', 'strict-packs.json')
const answers: Answer[] = JSON.parse(readFileSync(recorded, 'utf8'))
const scratch = mkdtempSync(path.join(os.tmpdir(), 'packlens-strict-'))
afterAll(() => rmSync(scratch, { recursive: true }))

let copies = 0

/** Makes the repository of an answer, without its pack. */
function repositoryOf({ format, packs, skipped }: Answer): string {
  const folder = path.join(scratch, `${copies++}.git`)
  const from = path.join(unpacked, 'thin', format === 'sha1' ? '' : format, 'older.git')
  cpSync(from, folder, { recursive: true })
  for (const other of packs.slice(1)) {
    const stdin = Buffer.from(other, 'hex')
    expect(run(folder, ['index-pack', '--stdin'], { stdin }).exit).toBe(0)
  }
  if (skipped !== undefined) writeFileSync(path.join(folder, 'skipped'), skipped)
  return folder
}

const named = (name: string, format = 'sha1') => {
  const found = answers.find((answer) => answer.name === name && answer.format === format)
  if (!found) throw new Error(name)
  return found
}
const packOf = ({ packs }: Answer) => new Uint8Array(Buffer.from(packs[0] ?? '', 'hex'))

/** Messages that depend on which linked objects git has read before. */
const inOwnWords = ({ name, option }: Answer) =>
  name === 'a commit for a blob' && option === '--strict'

describe.each(
  answers.map((answer) => [answer.format, answer.name, answer.option, answer] as const),
)('In %s, %s, %s', (_format, _name, option, answer) => {
  test('is answered as git does', () => {
    const folder = repositoryOf(answer)
    const stored = () => readdirSync(path.join(folder, 'objects', 'pack')).sort()
    const before = stored()
    const stdin = packOf(answer)
    const { exit, stdout, stderr } = run(folder, ['index-pack', '--stdin', option], { stdin })
    expect(exit).toBe(answer.exit)
    if (!inOwnWords(answer)) expect(stderr).toBe(answer.stderr)
    // git has stored and reported the pack before it checks objects that came too early.
    expect(stdout.toString()).toBe(exit === 0 ? answer.stdout : '')
    expect(stored().length - before.length).toBe(exit === 0 ? 2 : 0)
  })

  test('is answered in the same way if the pack is a file', () => {
    const folder = repositoryOf(answer)
    writeFileSync(path.join(folder, 'a.pack'), packOf(answer))
    const { exit, stderr } = run(folder, ['index-pack', option, 'a.pack'])
    expect(exit).toBe(answer.exit)
    if (!inOwnWords(answer)) expect(stderr).toBe(answer.stderr)
  })
})

describe.each(['sha1', 'sha256'] as const)('A pack of %s', (objectFormat) => {
  test.each([
    ['padded', 'zeroPaddedFilemode: contains zero-padded file modes'],
    ['bad modules', 'gitmodulesName: disallowed submodule name: '],
    ['modules first', 'gitmodulesName: disallowed submodule name: '],
    ['no parent', 'did not receive expected object'],
  ])('with %s is CORRUPT, and its object is named', async (name, message) => {
    const answer = named(name, objectFormat)
    const pack = packOf(answer)
    const found: PackFinding[] = []
    const onFinding = (finding: PackFinding) => found.push(finding)
    const options = { objectFormat, strict: true, onFinding }
    const error = await errorOf(() => indexPack(pack, options))
    const [oid] = /[0-9a-f]{40,64}/.exec(answer.stderr) ?? []
    expect(error).toMatchObject({ code: 'CORRUPT', subject: oid })
    expect(error.message).toContain(message)
    const reported = found.map(
      ({ id, oid, message }) => `error: object ${oid}: ${id}: ${message}\n`,
    )
    expect(answer.stderr.startsWith(reported.join(''))).toBe(true)
    await expect(indexPack(pack, { objectFormat })).resolves.toBeDefined()
  })

  test('is indexed, and its warnings are reported', async () => {
    const pack = packOf(named('odd mode', objectFormat))
    const found: PackFinding[] = []
    const onFinding = (finding: PackFinding) => found.push(finding)
    const strict = await indexPack(pack, { objectFormat, strict: true, onFinding })
    expect(found).toMatchObject([{ id: 'badFilemode', severity: 'warn' }])
    expect(strict).toEqual(await indexPack(pack, { objectFormat }))
  })
})

test('Severities and skip lists are given as in git', async () => {
  const { packs, stderr } = named('padded')
  const pack = new Uint8Array(Buffer.from(packs[0] ?? '', 'hex'))
  const [oid = ''] = /[0-9a-f]{40}/.exec(stderr) ?? []
  const found: PackFinding[] = []
  const onFinding = (finding: PackFinding) => found.push(finding)
  const strict = { strict: true, onFinding } as const
  await indexPack(pack, { ...strict, severities: { zeroPaddedFilemode: 'warn' } })
  expect(found).toMatchObject([{ id: 'zeroPaddedFilemode', severity: 'warn', oid }])
  await indexPack(pack, { ...strict, severities: { zeroPaddedFilemode: 'ignore' } })
  await indexPack(pack, { ...strict, skipList: [oid], worker: true })
  expect(found.length).toBe(1)
  const wrong = errorOf(() => indexPack(pack, { ...strict, skipList: ['x'] }))
  expect(await wrong).toMatchObject({ code: 'BAD_INPUT', subject: 'x' })
})

test('`strict` is true, false or `objects`', async () => {
  const pack = packOf(named('no parent'))
  await expect(indexPack(pack, { strict: 'objects', workers: 2 })).resolves.toBeDefined()
  const wrong = errorOf(() => indexPack(pack, { strict: 'all' as 'objects' }))
  expect(await wrong).toMatchObject({ code: 'BAD_INPUT', subject: 'all' })
})
