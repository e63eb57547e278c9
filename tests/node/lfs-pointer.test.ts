/** Pointers of Git LFS, as its specification writes them. */
import { parseLfsPointer } from 'packlens'
import { expect, test } from 'vitest'

const HASH = '4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393'
const VERSION = 'version https://git-lfs.github.com/spec/v1\n'
const POINTER = `${VERSION}oid sha256:${HASH}\nsize 12345\n`
const EXTENDED = `${VERSION}ext-0-foo sha256:${HASH}\noid sha256:${HASH}\nsize 0\n`

/** The answer about text, which is that about its bytes. */
function parsed(text: string) {
  const pointer = parseLfsPointer(text)
  expect(parseLfsPointer(new TextEncoder().encode(text))).toEqual(pointer)
  return pointer
}

test('a pointer names the file that is elsewhere', () => {
  expect(parsed(POINTER)).toEqual({ oid: `sha256:${HASH}`, size: 12345 })
  expect(parsed(EXTENDED)).toEqual({ oid: `sha256:${HASH}`, size: 0 })
})

test.each([
  ['nothing', ''],
  ['text before it', `\n${POINTER}`],
  ['text after it', `${POINTER}more\n`],
  ['another version', POINTER.replace('v1', 'v2')],
  ['no size', POINTER.replace(/size.*\n/, '')],
  ['a negative size', POINTER.replace('12345', '-1')],
  ['a shorter hash', POINTER.replace(HASH, HASH.slice(1))],
  ['1,024 bytes or more', EXTENDED.replace('foo', 'f'.repeat(1024))],
])('a file with %s is none', (_, text) => {
  expect(parsed(text)).toBeNull()
})
