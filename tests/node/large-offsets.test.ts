/** Packs of more than 4 GiB: offsets have 64 bits everywhere. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ByteSource, Repository } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { blobId, entryOf, indexOf, packOf } from './blob-pack.ts'
import { farPack, type Known } from './large-offset-pack.ts'
import type { Sparse } from './sparse-file.ts'
import { collect, errorOf } from './support.ts'

const MEMORY = 16 << 20

const folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-far-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Made = ReturnType<typeof farPack>

const asked = ({ pack, idx, commit }: Made, source: (pack: Sparse) => ByteSource) => ({
  packs: [{ pack: source(pack), idx }],
  refs: { HEAD: commit.oid },
})

/** The pack in each kind of source that can be as large. */
const ways: Record<string, (made: Made) => Promise<Repository>> = {
  '{ size, read } that answers at once': (made) =>
    open(
      asked(made, (pack) => pack),
      { memory: MEMORY },
    ),
  '{ size, read } with promises': (made) => {
    const later = (pack: Sparse) => ({
      size: pack.size,
      read: async (offset: number, length: number) => pack.read(offset, length),
    })
    return open(asked(made, later), { memory: MEMORY })
  },
  '{ byteLength, slice }': (made) => {
    const sliced = (pack: Sparse) => ({
      byteLength: pack.size,
      slice: async (start: number, end = pack.size) =>
        pack.read(start, end - start).buffer as ArrayBuffer,
    })
    return open(asked(made, sliced), { memory: MEMORY })
  },
  'a worker': (made) =>
    open(
      asked(made, (pack) => pack),
      { memory: MEMORY, worker: true },
    ),
  'a sparse file on disk': (made) => {
    const gitDir = mkdtempSync(path.join(folder, 'far-'))
    for (const name of ['objects/pack', 'refs'])
      mkdirSync(path.join(gitDir, name), { recursive: true })
    writeFileSync(path.join(gitDir, 'HEAD'), `${made.commit.oid}\n`)
    writeFileSync(path.join(gitDir, 'objects/pack/pack-far.idx'), made.idx)
    made.pack.writeTo(path.join(gitDir, 'objects/pack/pack-far.pack'))
    return open(gitDir, { memory: MEMORY })
  },
}

const inPackOrder = (known: readonly Known[]) => known.map(({ oid }) => oid)
const inOrderOfIds = (known: readonly Known[]) => inPackOrder(known).sort()

describe.each(Object.keys(ways))('%s', (way) => {
  test.each([-40_000, -1, 0, 1])('all objects %i bytes after 2^31 … are found', async (shift) => {
    const made = farPack(shift)
    const { known, far, commit } = made
    await using repo = (await ways[way]?.(made)) as Repository
    for (const { oid, type, content, offset, deltaDepth, deltaBase, end } of known) {
      const object = await repo.read(oid)
      expect([object.type, object.oid, object.deltaDepth]).toEqual([type, oid, deltaDepth])
      expect(content.equals(object.data)).toBe(true)
      const size = content.length
      const diskSize = end - offset
      expect(await repo.info(oid)).toMatchObject({ type, size, diskSize, deltaBase, deltaDepth })
      expect((await repo.info(oid)).offset).toBe(offset)
      const range = { start: Math.floor(size / 3), end: Math.floor(size / 2) }
      const part = Buffer.concat(await collect(repo.stream(oid, { range })))
      expect(part.equals(content.subarray(range.start, range.end))).toBe(true)
    }
    expect((await repo.read('HEAD:far')).oid).toBe(far.oid)
    expect(await repo.resolve('HEAD^{tree}')).not.toBe(commit.oid)

    const ids = inOrderOfIds(known)
    const rowsOf = async (fields: 'info' | 'both') =>
      [...(await repo.readMany(ids, { order: 'pack', fields }))].map((row) =>
        'oid' in row ? row.oid : row.type,
      )
    expect(await rowsOf('info')).toEqual(inPackOrder(known))
    expect((await rowsOf('both')).sort()).toEqual(ids)
    const listed = async (unordered: boolean) =>
      (await collect(repo.objects({ unordered, fields: 'info' }))).map((row) =>
        'oid' in row ? [row.oid, row.diskSize] : row.type,
      )
    const sizes = (ids: string[]) =>
      ids.map((id) => {
        const { offset = 0, end = 0 } = known.find(({ oid }) => oid === id) ?? {}
        return [id, end - offset]
      })
    expect(await listed(true)).toEqual(sizes(inPackOrder(known)))
    expect(await listed(false)).toEqual(sizes(ids))
    const { memoryHighWater, bytesRead } = repo.stats()
    expect(memoryHighWater).toBeLessThanOrEqual(MEMORY)
    // Of the bytes between, only those in a block with an entry are read.
    expect(bytesRead).toBeLessThan(MEMORY)
  })
})

describe('An offset of 64 bits', () => {
  const content = Buffer.from('a small blob')
  const { pack, oids } = packOf(content)
  const [oid = ''] = oids

  test.each([2 ** 32 + 12, 2 ** 33 + 12, 2 ** 52 + 12])(
    'to an entry, %i, is CORRUPT',
    async (offset) => {
      const other = { oid: 'f'.repeat(40), offset: 12, crc: 0 }
      const rows = [{ oid, offset, crc: 0 }, other]
      const two = Buffer.from(pack)
      two.writeUInt32BE(2, 8)
      using repo = await open({ packs: [{ pack: two, idx: indexOf(rows, pack.subarray(-20)) }] })
      for (const ask of [
        () => repo.read(oid),
        () => repo.info(oid),
        () => collect(repo.stream(oid)),
      ]) {
        const error = await errorOf(ask)
        expect([error.code, error.message]).toEqual([
          'CORRUPT',
          expect.stringContaining('an index points outside its pack'),
        ])
        expect(error.message).toContain(`${offset}`)
      }
      // The same entry has the right offset elsewhere, so the offset alone is refused.
      expect((await repo.info('f'.repeat(40))).size).toBe(content.length)
    },
  )

  test('that fits in 31 bits is read', () => {
    const other = Buffer.from('another')
    expect(blobId(other)).not.toBe(oid)
    const two = packOf(content, other)
    const offsets = [12, 12 + entryOf('blob', content).length]
    const rows = two.oids.map((oid, at) => ({ oid, offset: offsets[at] ?? 0, crc: 0 }))
    // The first entry of a pack never needs it, and the size of the index shows that.
    const idx = indexOf(rows, two.pack.subarray(-20), (offset) => offset > 12)
    using repo = openSync({ packs: [{ pack: two.pack, idx }] })
    expect(Buffer.from(repo.read(two.oids[1] ?? '').data)).toEqual(other)
  })
})
