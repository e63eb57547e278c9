/**
 * Indexes packs whose objects the repository has too, equal or different. The expected output
 * is that of git 2.39 for the same files.
 */
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { packOf } from './blob-pack.ts'
import { run } from './cli-support.ts'
import { loose, makeRepository } from './loose-objects.ts'

const scratch = mkdtempSync(path.join(tmpdir(), 'packlens-collisions-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const CONTENT = 'one\n'
const ID = '5626abf0f72e58d7a153368ba57db4c673c0e171'

let folder: string
let file: string
let pack: Uint8Array

beforeEach(() => {
  folder = mkdtempSync(path.join(scratch, 'r-'))
  makeRepository(folder)
  expect(loose(folder, 'blob', CONTENT)).toBe(ID)
  file = path.join(folder, 'objects', ID.slice(0, 2), ID.slice(2))
  pack = packOf(Buffer.from(CONTENT), Buffer.from('two\n')).pack
  writeFileSync(path.join(folder, 'p.pack'), pack)
})

/** Indexes the pack as a file and from a stream; both fail the same way, and leave no files. */
function refused(what: string): void {
  for (const [args, stdin] of [[['p.pack']], [['--stdin'], pack]] as const) {
    const { exit, stdout, stderr } = run(folder, ['index-pack', ...args], stdin ? { stdin } : {})
    expect({ exit, out: stdout.toString(), stderr }).toEqual({
      exit: 128,
      out: '',
      stderr: `fatal: ${what}\n`,
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('p.'))).toEqual(['p.pack'])
  }
}

test('an equal object is accepted', () => {
  expect(run(folder, ['index-pack', 'p.pack'])).toMatchObject({ exit: 0, stderr: '' })
  expect(run(folder, ['index-pack', '--stdin'], { stdin: pack })).toMatchObject({
    exit: 0,
    stderr: '',
  })
})

test.each([
  ['of the same type', 'blob', 'two\n'],
  ['of another size', 'blob', 'twenty-two\n'],
  ['of another type', 'tree', ''],
])('an object %s with the same id is refused', (_, type, content) => {
  const other = loose(folder, type, content)
  copyFileSync(path.join(folder, 'objects', other.slice(0, 2), other.slice(2)), file)
  refused(`SHA1 COLLISION FOUND WITH ${ID} !`)
})

test('an object that cannot be read is reported', () => {
  writeFileSync(file, 'xx')
  refused(`cannot read existing object info ${ID}`)
})

test('outside of a repository nothing is compared', () => {
  const outside = mkdtempSync(path.join(scratch, 'none-'))
  writeFileSync(path.join(outside, 'p.pack'), readFileSync(path.join(folder, 'p.pack')))
  expect(run(outside, ['index-pack', 'p.pack'])).toMatchObject({ exit: 0, stderr: '' })
})
