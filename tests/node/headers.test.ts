/** Header lines of commits and tags that git would not write. */
import { expect, test } from 'vitest'
import { decodeHeaders } from '../../dist/objects/headers.js'

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

function decoded(content: string) {
  const { lines, message } = decodeHeaders(new Uint8Array(Buffer.from(content, 'latin1')))
  return [lines.map(({ key, value }) => [key, latin1(value)]), latin1(message)]
}

test('a key ends with its line, also where the next goes on with it', () => {
  expect(decoded('key\n a b\nother\n \n c\n\nmessage')).toEqual([
    [
      ['key', '\na b'],
      ['other', '\n\nc'],
    ],
    'message',
  ])
  expect(decoded('key\n a')).toEqual([[['key', '\na']], ''])
})
