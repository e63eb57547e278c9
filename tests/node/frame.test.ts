/** The rows that the core writes and the package decodes: one table, one buffer each. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type BatchRow, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { ROW_HEADER_SIZE } from '../../dist/base/protocol.js'
import { decodeFrame } from '../../dist/objects/frame.js'
import { looseObjects } from './sources.ts'
import { fixture, folderOf, root } from './support.ts'

const rowRs = readFileSync(path.join(root, 'crate/query/src/row.rs'), 'utf8')

/** The fields by their offsets, as the table in row.rs has them. */
const table = [...rowRs.matchAll(/^\/\/! \| (\d+) +\| (\d+) +\| (.*?) +\|$/gm)].map((match) => ({
  offset: Number(match[1]),
  size: Number(match[2]),
  field: match[3] ?? '',
}))

const main = fixture('main')
const sizes = [0, 1, 7, 8, 40, 65_536]
const contents = sizes.map((size): [string, string] => ['blob', 'x'.repeat(size)])

/** Reads fields by the table, independent of the package. */
function header(bytes: Uint8Array, at = 0): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at)
  const numbers = table.slice(0, 12).map(({ offset, size }) => {
    if (size === 8) return Number(view.getBigUint64(offset, true))
    return size === 4 ? view.getUint32(offset, true) : view.getUint8(offset)
  })
  return numbers
}

describe('The header of a row', () => {
  test('has fields without gaps between them', () => {
    expect(table).toHaveLength(14)
    table.reduce((end, { offset, size }) => {
      expect(offset).toBe(end)
      return end + size
    }, 0)
  })

  test('has the same length on both sides', () => {
    const last = table.at(-1) ?? { offset: 0, size: 0 }
    expect(ROW_HEADER_SIZE).toBe(last.offset + last.size)
  })

  test('is decoded as the table says', () => {
    using repo = openSync(folderOf(main))
    const batch = repo.readMany(
      main.objects.map(({ oid }) => oid),
      { fields: 'both' },
    )
    let at = 0
    for (const row of batch) {
      if (!('data' in row)) throw new Error(row.type)
      const info = repo.info(row.oid)
      const [kind, idLength, flags, zero, index, size, from, length, disk, offset, file, depth] =
        header(batch.bytes, at)
      expect([kind, idLength, flags, zero]).toEqual([
        ['', 'commit', 'tree', 'blob', 'tag'].indexOf(row.type),
        20,
        1,
        0,
      ])
      expect([index, size, from, length]).toEqual([row.index, row.size, 0, row.data.byteLength])
      expect([disk, depth]).toEqual([row.diskSize, row.deltaDepth])
      expect([offset, file === 0xffff_ffff]).toEqual([info.offset ?? 0, info.pack === null])
      const id = (start: number) => Buffer.from(batch.bytes.subarray(at + start, at + start + 32))
      expect(id(56).toString('hex')).toBe(row.oid.padEnd(64, '0'))
      expect(id(88).toString('hex')).toBe((row.deltaBase ?? '').padEnd(64, '0'))
      at += 120 + Math.ceil(Number(length) / 8) * 8
    }
    expect(at).toBe(batch.bytes.byteLength)
  })

  test('has numbers of 8 bytes', () => {
    const bytes = new Uint8Array(120)
    const view = new DataView(bytes.buffer)
    const sizes = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 3, Number.MAX_SAFE_INTEGER]
    for (const size of sizes) {
      view.setBigUint64(8, BigInt(size), true)
      expect(decodeFrame(bytes.buffer).size).toBe(size)
    }
  })

  test('distinguishes rows of every kind', () => {
    const { store, oids } = looseObjects([
      ...contents,
      ['commit', `tree ${'0'.repeat(40)}\n`],
      ['tree', ''],
      ['tag', 'object x\n'],
    ])
    using repo = openSync(store)
    const batch = repo.readMany([...oids, 'missing', ':/(a)\\1'])
    const rows: BatchRow[] = [...batch]
    expect(rows.map(({ type }) => type)).toEqual([
      ...contents.map(() => 'blob'),
      'commit',
      'tree',
      'tag',
      'missing',
      'failed',
    ])
    let at = 0
    const kinds = rows.map(() => {
      const [kind, , , , , , , length] = header(batch.bytes, at)
      expect(at % 8).toBe(0)
      at += 120 + Math.ceil(Number(length) / 8) * 8
      return kind
    })
    expect(kinds).toEqual([...contents.map(() => 3), 1, 2, 4, 0, 6])
    using other = openSync(folderOf(main))
    const [alike] = other.readMany([other.resolve('refs/odd/alike-blob-1').slice(0, 4)])
    expect(alike?.type).toBe('ambiguous')
  })
})

test.each(['sha1', 'sha256'])(
  'With %s ids an object is returned in one buffer of its own',
  (format) => {
    using repo = openSync(folderOf(fixture(format === 'sha1' ? 'main' : 'sha256')))
    const { objects } = fixture(format === 'sha1' ? 'main' : 'sha256')
    const buffers = new Set<ArrayBuffer>()
    for (const { oid, size } of objects) {
      const { data } = repo.read(oid)
      expect(data.byteOffset).toBe(120)
      expect(data.byteLength).toBe(size)
      expect(data.buffer.byteLength).toBe(120 + Math.ceil(size / 8) * 8)
      buffers.add(data.buffer)
    }
    expect(buffers.size).toBe(objects.length)
  },
)

test.each(sizes)(
  'The content of an object of %i bytes begins 120 bytes into its buffer',
  (size) => {
    const { store, oids } = looseObjects(contents)
    using repo = openSync(store)
    const object = repo.read(oids[sizes.indexOf(size)] ?? '')
    expect([object.size, object.data.byteOffset]).toEqual([size, 120])
    expect(object.data.every((byte) => byte === 0x78)).toBe(true)
    // A returned buffer belongs to the caller: the next read does not change it.
    const before = object.data.slice()
    repo.read(oids[5] ?? '')
    expect(object.data).toEqual(before)
  },
)
