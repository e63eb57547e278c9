/** Author lines, also malformed ones, compared with git's answers: tests/fixtures/idents.mjs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type CommitObject, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './cli-support.js'
import { loose, looseTree, makeRepository } from './loose-objects.ts'
import { root } from './support.ts'

interface Answer {
  readonly line: string
  readonly name: string
  readonly email: string
  readonly seconds: string
  readonly date: string
  readonly raw: string
  readonly timestamp: string
  readonly atoms: readonly string[]
  readonly tag: readonly string[]
}

const file = path.join(root, 'tests', 'fixtures', 'idents.json')
const answers = JSON.parse(readFileSync(file, 'utf8')) as Answer[]
const folder = mkdtempSync(path.join(tmpdir(), 'packlens-idents-'))
const commits: string[] = []

beforeAll(() => {
  makeRepository(folder)
  const tree = looseTree(folder, [])
  const refs: string[] = []
  for (const [at, { line }] of answers.entries()) {
    const bytes = (text: string) => Buffer.from(text, 'latin1')
    const head = `tree ${tree}\nauthor ${line}\ncommitter ${line}\n`
    const commit = loose(folder, 'commit', bytes(`${head}\nA message.\n`))
    const tagged = `object ${commit}\ntype commit\ntag t${at}\ntagger ${line}\n`
    const tag = loose(folder, 'tag', bytes(`${tagged}\nA message.\n`))
    refs.push(`${commit} refs/heads/b${at}\n`, `${tag} refs/tags/t${at}\n`)
    commits.push(commit)
  }
  writeFileSync(path.join(folder, 'packed-refs'), refs.join(''))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const latin1 = (bytes: Buffer) => bytes.toString('latin1')

test('the recording holds all kinds of lines', () => {
  expect(answers.length).toBeGreaterThan(140)
  expect(answers.filter(({ seconds }) => seconds === '').length).toBeGreaterThan(40)
})

describe('a commit object', () => {
  test.each(answers.map((answer, at) => ({ ...answer, at })))('$line', (answer) => {
    const repo = openSync(folder)
    const { author, committer } = repo.read(commits[answer.at] as string) as CommitObject
    repo.close()
    for (const { name, email, seconds, offset, raw } of [author, committer]) {
      // Bytes that are not UTF-8 are replaced.
      const text = (bytes: string) => Buffer.from(bytes, 'latin1').toString()
      expect(latin1(Buffer.from(raw))).toBe(answer.line)
      expect([name, email]).toEqual([text(answer.name), text(answer.email)])
      expect(seconds).toBe(answer.seconds === '' ? null : Number(answer.seconds))
      if (!isTooLarge(answer)) expect(offset).toBe(offsetOf(answer))
    }
  })
})

/** git shows seconds beyond 63 bits as 0, without a zone. */
function isTooLarge({ seconds }: Answer): boolean {
  return seconds !== '' && BigInt(seconds) >= 2n ** 63n
}

/** Returns the minutes of the zone that git shows. */
function offsetOf({ raw }: Answer): number {
  const zone = Number(/ (.*)$/.exec(raw)?.[1] ?? 0)
  return Math.trunc(zone / 100) * 60 + (zone % 100)
}

describe('for-each-ref', () => {
  const kinds = [
    { kind: 'author', prefix: 'refs/heads/b', key: 'atoms' },
    { kind: 'tagger', prefix: 'refs/tags/t', key: 'tag' },
  ] as const
  const parts = ['', 'name', 'email', 'email:trim', 'email:localpart', 'email:trim,localpart']
  const styles = ['', ':raw', ':unix', ':iso', ':iso-strict', ':rfc2822', ':short']
  const fields = [...parts, ...styles.map((style) => `date${style}`)]

  test.each(kinds)('$kind', ({ kind, prefix, key }) => {
    for (const [at, answer] of answers.entries()) {
      const show = (format: string) => {
        const { stdout, stderr, exit } = run(folder, ['for-each-ref', format, `${prefix}${at}`])
        return exit === 0 ? latin1(stdout).slice(0, -1) : stderr.trimEnd()
      }
      const refuses = answer[key].some((value) => value.startsWith('fatal: '))
      const found = refuses
        ? fields.map((field) => show(`--format=%(${kind}${field})`))
        : show(`--format=${fields.map((field) => `%(${kind}${field})`).join('%00')}`).split('\0')
      expect([answer.line, ...found]).toEqual([answer.line, ...answer[key]])
    }
  })
})

test('rev-list compares the seconds that git compares', () => {
  for (const [at, { timestamp, line }] of answers.entries()) {
    // An option above 2^53 is not exact.
    const seconds = Number(timestamp)
    if (!Number.isSafeInteger(seconds)) continue
    const count = (since: number) =>
      run(folder, ['rev-list', '--count', `--max-age=${since}`, commits[at] as string]).stdout
    const reported = [`${count(seconds)}`, `${count(seconds + 1)}`]
    expect([line, ...reported]).toEqual([line, '1\n', '0\n'])
  }
})
