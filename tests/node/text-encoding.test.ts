/** Messages in other encodings than UTF-8, compared with git's: tests/fixtures/encodings.mjs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type CommitObject, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loose, looseTree, makeRepository } from './loose-objects.ts'
import { root } from './support.ts'

interface Answer {
  readonly encoding: string
  readonly message: string
  readonly shown: string
}

const file = path.join(root, 'tests', 'fixtures', 'encodings.json')
const answers = JSON.parse(readFileSync(file, 'utf8')) as Answer[]
const folder = mkdtempSync(path.join(tmpdir(), 'packlens-encodings-'))
let tree = ''

beforeAll(() => {
  makeRepository(folder)
  tree = looseTree(folder, [])
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each byte is a character. */
function messageIn(encoding: string, message: string): string {
  const who = 'A <a@x> 5 +0000'
  const head = `tree ${tree}\nauthor ${who}\ncommitter ${who}\nencoding ${encoding}\n`
  const commit = loose(folder, 'commit', Buffer.from(`${head}\n${message}`, 'latin1'))
  const repo = openSync(folder)
  const { message: found } = repo.read(commit) as CommitObject
  repo.close()
  return found
}

describe('is decoded as git does', () => {
  test.each(answers)('$encoding', ({ encoding, message, shown }) => {
    expect(messageIn(encoding, message)).toBe(Buffer.from(shown, 'latin1').toString())
  })
})

describe('is decoded as UTF-8', () => {
  test.each(['UTF-16', 'utf-16le', 'UTF-16BE', 'unicode', 'nonsense'])('%s', (encoding) => {
    expect(messageIn(encoding, 'J\xc3\xb6rg')).toBe('Jörg')
  })

  test('bytes that are unassigned in windows-1252', () => {
    expect(messageIn('cp1252', '\x80\x81\x9d')).toBe('€\x81\x9d')
  })
})
