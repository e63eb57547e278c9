/** Header lines of commits and tags that git would not write. */

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { decodeHeaders, findHeader, messageStart } from '../../dist/objects/headers.js'
import { root } from './support.ts'

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

function decoded(content: string) {
  const bytes = new Uint8Array(Buffer.from(content, 'latin1'))
  const lines = decodeHeaders(bytes)
  for (const { key, value } of lines) expect(findHeader(bytes, key)).toEqual(value)
  const message = latin1(bytes.subarray(messageStart(bytes)))
  return [lines.map(({ key, value }) => [key, latin1(value)]), message]
}

test('a key ends with its line, also if the next line continues it', () => {
  expect(decoded('key\n a b\nother\n \n c\n\nmessage')).toEqual([
    [
      ['key', '\na b'],
      ['other', '\n\nc'],
    ],
    'message',
  ])
  expect(decoded('key\n a')).toEqual([[['key', '\na']], ''])
})

test('a key that is not ASCII is found', () => {
  const bytes = new TextEncoder().encode('tree x\nschlüssel wert\n\u07d1\n\nmessage')
  expect(decodeHeaders(bytes).map(({ key }) => key)).toEqual(['tree', 'schlüssel', '\u07d1'])
  expect(latin1(findHeader(bytes, 'schlüssel') ?? new Uint8Array())).toBe('wert')
  expect(findHeader(bytes, '\u07d1')).toEqual(new Uint8Array())
  expect(findHeader(bytes, 'schl')).toBe(undefined)
})

test('a field takes no more memory than its value, however many lines there are', () => {
  const entry = JSON.stringify(path.join(root, 'dist', 'node', 'packlens.js'))
  // In 64 MiB of heap: seven million parsed lines would take more than a gigabyte.
  const script = `
    import { openSync } from ${entry}
    import { deflateSync } from 'node:zlib'
    import { createHash } from 'node:crypto'
    const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
    const parent = '1'.repeat(40)
    const person = 'A <a@x> 5 +0100'
    const content = Buffer.concat([
      Buffer.from('tree ' + tree + '\\nparent ' + parent + '\\n'),
      Buffer.alloc(7_000_000 * 4, 'a b\\n'),
      Buffer.from('author ' + person + '\\ncommitter ' + person + '\\n\\nmessage\\n'),
    ])
    const object = Buffer.concat([Buffer.from('commit ' + content.length + '\\0'), content])
    const oid = createHash('sha1').update(object).digest('hex')
    const loose = deflateSync(object)
    const repo = openSync({
      get: (path) => (path === 'objects/' + oid.slice(0, 2) + '/' + oid.slice(2) ? loose : null),
      list: () => [],
    }, { memory: 128 << 20 })
    const commit = repo.read(oid)
    const failed = (ask) => { try { ask() } catch (error) { return error.code } }
    console.log(JSON.stringify([
      commit.tree, commit.parents, commit.author.name, commit.committer.seconds,
      commit.message, commit.encoding, commit.gpgsig, failed(() => commit.headers),
    ]))`
  const args = ['--max-old-space-size=64', '--input-type=module', '--eval', script]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
  const fields = [tree, ['1'.repeat(40)], 'A', 5, 'message\n', null, null, 'LIMIT']
  expect(JSON.parse(stdout)).toEqual(fields)
})
