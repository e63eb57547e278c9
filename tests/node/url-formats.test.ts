/** Formats of servers: URLs, headers, bodies of several parts, git's lists. */
import { describe, expect, test } from 'vitest'
import { parseContentRange } from '../../dist/source/url/content-range.js'
import { boundaryOf, parseParts } from '../../dist/source/url/multipart.js'
import { isPage } from '../../dist/source/url/page.js'
import { Place } from '../../dist/source/url/place.js'
import { alternatesFrom, hashOfRefs, isHead, packNames } from '../../dist/source/url/server-info.js'

const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))

describe('URLs', () => {
  const place = new Place(new URL('https://example.org:8443/a b/repo.git?key=1#top'))

  test.each([
    ['HEAD', '/a%20b/repo.git/HEAD'],
    ['refs/heads/a#b?c%20d', '/a%20b/repo.git/refs/heads/a%23b%3Fc%2520d'],
    ['refs/heads/caf\u00e9', '/a%20b/repo.git/refs/heads/caf%C3%A9'],
    ['../other.git/objects/info/packs', '/a%20b/other.git/objects/info/packs'],
    ['../../../../etc/passwd', '/etc/passwd'],
    ['/srv/other.git/HEAD', '/srv/other.git/HEAD'],
    ['//evil.example/HEAD', '//evil.example/HEAD'],
    ['https://evil.example/HEAD', '/a%20b/repo.git/https%3A//evil.example/HEAD'],
    ['\\\\evil.example\\HEAD', '/a%20b/repo.git/%5C%5Cevil.example%5CHEAD'],
  ])('%s stays on the server', (path, expected) => {
    const url = place.urlOf(path)
    expect([url.origin, url.pathname]).toEqual(['https://example.org:8443', expected])
    expect([url.search, url.hash]).toEqual(['?key=1', ''])
  })

  test('names may have any bytes, and folders may be nested', () => {
    expect(place.urlOf(bytes('refs/\xe9')).pathname).toBe('/a%20b/repo.git/refs/%E9')
    expect(place.inside('.git').urlOf('HEAD').pathname).toBe('/a%20b/repo.git/.git/HEAD')
  })
})

describe('Content-Range', () => {
  test.each([
    ['bytes 0-0/1', { start: 0, end: 1, total: 1 }],
    [' Bytes 5-9/100 ', { start: 5, end: 10, total: 100 }],
    ['bytes 5-9/*', { start: 5, end: 10, total: undefined }],
  ])('%j', (value, expected) => {
    expect(parseContentRange(value)).toEqual(expected)
  })

  test.each([
    '',
    'bytes',
    'bytes */5',
    'bytes 5-4/10',
    'bytes 5-10/10',
    'bytes -1-5/10',
    'bytes 0-1/9999999999999999',
    'bytes 0-9007199254740991/*',
    'bytes 0-1/10, bytes 3-4/10',
    'octets 0-1/10',
  ])('%j is invalid', (value) => {
    expect(parseContentRange(value)).toBeNull()
  })
})

describe('Bodies of several parts', () => {
  const part = (range: string, content: string) =>
    `--B\r\nContent-Type: text/plain\r\nContent-Range: bytes ${range}\r\n\r\n${content}\r\n`
  const whole = `${part('0-2/9', 'abc')}${part('5-6/9', '\r\n')}--B--\r\n`

  test('are parsed, also if they hold text like a boundary', () => {
    const parts = parseParts(bytes(`\r\n${whole}`), 'B')
    expect(parts?.map(({ start, end, total }) => [start, end, total])).toEqual([
      [0, 3, 9],
      [5, 7, 9],
    ])
    expect(parts?.map((found) => Buffer.from(found.bytes).toString())).toEqual(['abc', '\r\n'])
    const odd = `${part('0-6/9', '\r\n--B--')}--B--`
    expect(parseParts(bytes(odd), 'B')).toHaveLength(1)
  })

  test('are rejected with bytes between the parts or after them', () => {
    for (const odd of [
      `${whole}more`,
      `more${whole}`,
      whole.replace('abc\r\n', 'abcxx'),
      whole.replace('abc\r\n', 'abc\r\n\r\n'),
      whole.replace('--B\r\n', '--Bx\r\n'),
    ]) {
      expect(parseParts(bytes(odd), 'B'), odd).toBeNull()
    }
  })

  test('are rejected if they are truncated anywhere', () => {
    const end = whole.lastIndexOf('--B--') + '--B--'.length
    for (let length = 0; length < end; length++) {
      expect(parseParts(bytes(whole.slice(0, length)), 'B'), `${length}`).toBeNull()
    }
    for (let length = end; length <= whole.length; length++) {
      expect(parseParts(bytes(whole.slice(0, length)), 'B'), `${length}`).toHaveLength(2)
    }
  })

  test('are rejected, or equal, if one byte is changed', () => {
    const right = ['abc', '\r\n']
    for (let at = 0; at < whole.length; at++) {
      for (const other of ['\0', 'x', '9', '-', '\n']) {
        const damaged = whole.slice(0, at) + other + whole.slice(at + 1)
        const parts = parseParts(bytes(damaged), 'B') ?? []
        for (const { start, end, bytes: content } of parts) {
          expect(content.byteLength, damaged).toBe(end - start)
        }
        const contents = parts.map((found) => Buffer.from(found.bytes).toString())
        const changed = contents.filter((content) => !right.includes(content))
        // The content of a part cannot be checked, nor a range of the same length.
        if (changed.length > 0) expect([...'abc\r\n'], damaged).toContain(whole[at])
      }
    }
  })

  test.each([
    ['multipart/byteranges; boundary=abc', 'abc'],
    ['Multipart/ByteRanges;BOUNDARY="a b:c"; charset=x', 'a b:c'],
    ['multipart/byteranges; x=y; boundary=abc', 'abc'],
    ['multipart/byteranges', null],
    ['multipart/byteranges; boundary=', null],
    ['multipart/mixed; boundary=abc', null],
    [`multipart/byteranges; boundary=${'x'.repeat(71)}`, null],
    [null, null],
  ])('%s', (type, expected) => {
    expect(boundaryOf(type)).toBe(expected)
  })
})

/** Returns all truncations of bytes, and all versions with one changed byte. */
function* changes(whole: Buffer): Generator<Buffer> {
  for (let at = 0; at <= whole.length; at++) yield whole.subarray(0, at)
  for (let at = 0; at < whole.length; at++) {
    for (const mask of [1, 0x20, 0x80, 0xff]) {
      const changed = Buffer.from(whole)
      changed[at] = (whole[at] as number) ^ mask
      yield changed
    }
  }
}

describe("git's small files", () => {
  const id = '0123456789abcdef'.repeat(4)

  test('HEAD is distinguished from other content', () => {
    for (const head of ['ref: refs/heads/main\n', `${id.slice(0, 40)}\n`, id, 'ref:refs/heads/x']) {
      expect(isHead(bytes(head)), head).toBe(true)
    }
    for (const other of ['', 'hello\n', `${id}0\n`, '<html>', 'ref: \n', '{"ref": 1}']) {
      expect(isHead(bytes(other)), other).toBe(false)
    }
  })

  test('the hash is detected by the first line of `info/refs`', () => {
    expect(hashOfRefs(bytes(`${id.slice(0, 40)}\trefs/heads/main\n`))).toBe('sha1')
    expect(hashOfRefs(bytes(`${id}\trefs/heads/main\n`))).toBe('sha256')
    expect(hashOfRefs(bytes(''))).toBe('none')
    for (const other of ['\n', 'hello\n', `${id.slice(0, 39)}\trefs/x\n`, `${id} refs/x\n`]) {
      expect(hashOfRefs(bytes(other)), other).toBeNull()
    }
  })

  test('only packs in the folder of packs are listed', () => {
    const text = `P pack-${'1'.repeat(40)}.pack\nP pack-a.pack\nP ../pack-b.pack\nD 0 1\nP pack-c.idx\n`
    expect(packNames(text)).toEqual([`pack-${'1'.repeat(40)}`, 'pack-a'])
  })

  test('truncated or changed lists yield only names of the original list', () => {
    const packs = Buffer.from(`P pack-${'1'.repeat(40)}.pack\nP pack-a.pack\n\n`)
    const refs = Buffer.from(`${id.slice(0, 40)}\trefs/heads/main\n${id}\trefs/x\n`)
    for (const changed of changes(packs)) {
      const text = changed.toString('latin1')
      const lines = text.split(/[\n\r\u2028\u2029]/)
      const right = lines.filter((line) => /^P pack-[\w-]+\.pack$/.test(line))
      expect(packNames(text)).toEqual(right.map((line) => line.slice(2, -5)))
    }
    for (const changed of changes(refs)) {
      const digits = changed.toString('latin1').split('\t')[0] as string
      const isId = /^[0-9a-f]+$/.test(digits) && digits.length === 40
      const named = changed.length > 41 && (changed[41] as number) > 32
      const found = hashOfRefs(changed)
      expect(found, changed.toString('latin1')).toBe(
        changed.length === 0 ? 'none' : isId && named ? 'sha1' : null,
      )
    }
  })

  test('alternates on other servers are omitted', () => {
    const base = new URL('https://example.org/a.git/')
    const text =
      '/srv/b.git/objects\n../../c.git/objects\nhttps://example.org/d%20d.git/objects\n' +
      'https://evil.example/e.git/objects\nhttp://example.org/f.git/objects\nhttps://%zz\n'
    expect(alternatesFrom(text, base).split('\n')).toEqual([
      '/srv/b.git/objects',
      '../../c.git/objects',
      '/d d.git/objects',
      '',
    ])
    expect(() => alternatesFrom('https://example.org/%zz\n', base)).not.toThrow()
  })

  test('a web page is recognised by its first byte', () => {
    for (const page of ['<!DOCTYPE html>', '\n  <html>', '\xef\xbb\xbf<?xml ?>']) {
      expect(isPage(bytes(page)), page).toBe(true)
    }
    for (const other of ['', 'ref: <', '[core]\n', 'PACK', '\xff\x74\x4f\x63', 'x\x9c<']) {
      expect(isPage(bytes(other)), other).toBe(false)
    }
  })
})
