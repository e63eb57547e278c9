/** Thin packs and thin bundles, with a repository that has the missing objects. */
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { PackIndex } from 'packlens'
import { indexPack, open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { unpacked } from './cli-support.ts'
import { codeOf, collect } from './support.ts'

const scratch = mkdtempSync(path.join(os.tmpdir(), 'packlens-thin-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const kinds = ['sha1', 'sha256'] as const
const folderOf = (format: string) =>
  path.join(unpacked, 'thin', format === 'sha256' ? 'sha256' : '')
const bytesOf = (format: string, name: string) =>
  new Uint8Array(readFileSync(path.join(folderOf(format), name)))

/** Assembles the completed pack, as the README shows. */
function completed(thin: Uint8Array, { completion }: PackIndex, format: string): Buffer {
  if (!completion) throw new Error('it was complete')
  const number = Buffer.alloc(4)
  number.writeUInt32BE(completion.objects)
  const hashLength = format === 'sha256' ? 32 : 20
  return Buffer.concat([
    thin.subarray(0, 8),
    number,
    thin.subarray(12, thin.length - hashLength),
    completion.tail,
  ])
}

describe.each(kinds)('A thin pack, %s', (format) => {
  const older = path.join(folderOf(format), 'older.git')
  const thin = bytesOf(format, 'thin.pack')

  test.each([false, true])('is completed from a repository; in a worker: %s', async (worker) => {
    const made = await indexPack(thin, { repository: older, worker, workers: worker ? 1 : 0 })
    const pack = completed(thin, made, format)
    const checksum = createHash(format).update(pack.subarray(0, -made.oid.length / 2))
    expect(checksum.digest('hex')).toBe(made.oid)
    const fixed = Buffer.from(bytesOf(format, 'fixed.idx'))
    expect(made.objects).toBe(fixed.readUInt32BE(8 + 1020))
    const alone = await indexPack(new Uint8Array(pack), { objectFormat: format })
    expect(alone).toEqual({ ...made, completion: null })
  })

  test('is CORRUPT without a repository, or with another one', async () => {
    expect(await codeOf(() => indexPack(thin, { objectFormat: format }))).toBe('CORRUPT')
    const empty = path.join(unpacked, format === 'sha256' ? 'tiny-sha256' : 'tiny')
    expect(await codeOf(() => indexPack(thin, { repository: empty }))).toBe('CORRUPT')
    const missing = path.join(unpacked, 'nowhere')
    expect(await codeOf(() => indexPack(thin, { repository: missing }))).toBe('NOT_FOUND')
  })

  test('that lacks nothing stays unchanged', async () => {
    const pack = bytesOf(format, 'fixed.pack')
    const made = await indexPack(pack, { repository: older })
    expect(made.completion).toBe(null)
    expect(Buffer.from(made.idx).equals(bytesOf(format, 'fixed.idx'))).toBe(true)
    expect(Buffer.from(made.rev).equals(bytesOf(format, 'fixed.rev'))).toBe(true)
  })
})

describe.each(kinds)('A thin bundle, %s', (format) => {
  const folder = folderOf(format)
  const older = path.join(folder, 'older.git')
  const bundle = bytesOf(format, 'thin.bundle')
  const origin = openSync(path.join(folder, 'repo.git'))
  const history = [...origin.revList('main', { all: true })]

  async function expectSameHistory(repo: Awaited<ReturnType<typeof open>>): Promise<void> {
    expect(await collect(repo.revList('main'))).toEqual(history)
    expect((await collect(repo.refs.list())).map(({ name }) => name)).toEqual(['refs/heads/main'])
    for (const row of origin.objects()) {
      if (!('oid' in row)) throw new Error(row.type)
      expect(Buffer.from((await repo.read(row.oid)).data).equals(row.data)).toBe(true)
    }
  }

  test.each([false, true])('is opened with a repository; in a worker: %s', async (worker) => {
    await using repo = await open({ bundle, repository: older }, { worker })
    await expectSameHistory(repo)
  })

  test('has its own refs, not those of the repository', async () => {
    const copy = path.join(scratch, `${format}.git`)
    cpSync(older, copy, { recursive: true })
    const tip = history.at(-1)
    for (const name of ['refs/heads/other', 'refs/replace/0', 'ORIG_HEAD']) {
      mkdirSync(path.dirname(path.join(copy, name)), { recursive: true })
      writeFileSync(path.join(copy, name), `${tip}\n`)
    }
    await using repo = await open({ bundle, repository: copy })
    expect((await collect(repo.refs.list())).map(({ name }) => name)).toEqual(['refs/heads/main'])
    for (const name of ['other', 'ORIG_HEAD']) {
      expect(await codeOf(() => repo.resolve(name)), name).toBe('NOT_FOUND')
    }
  })

  test('opens synchronously', () => {
    using repo = openSync({ bundle, repository: older })
    expect([...repo.revList('main')]).toEqual(history)
  })

  test('is opened with packs that have its prerequisites', async () => {
    using base = openSync(older)
    const { pack } = base.info('main')
    const packs = [{ pack: new Uint8Array(readFileSync(path.join(older, `${pack}`))) }]
    await using repo = await open({ bundle, packs })
    await expectSameHistory(repo)
  })

  test('is CORRUPT without its prerequisites', async () => {
    expect(await codeOf(() => open({ bundle }))).toBe('CORRUPT')
  })
})

describe('The hook for missing objects', () => {
  const folder = folderOf('sha1')
  const older = path.join(folder, 'older.git')
  const origin = openSync(path.join(folder, 'repo.git'))
  const tip = origin.resolve('main')

  test.each([false, true])('may return a thin pack; in a worker: %s', async (worker) => {
    let calls = 0
    const missing = () => {
      calls++
      return bytesOf('sha1', 'thin.pack')
    }
    await using repo = await open(older, { missing, worker })
    expect(await collect(repo.revList(tip))).toEqual([...origin.revList(tip)])
    for (const { oid } of origin.walk(tip, { recursive: true })) {
      const { data } = await repo.read(oid)
      expect(Buffer.from(data).equals(origin.read(oid).data)).toBe(true)
    }
    expect(calls).toBe(1)
  })

  test('is not called for the bases of a pack that it returned', async () => {
    const asked: (readonly string[])[] = []
    const missing = (oids: readonly string[]) => {
      asked.push(oids)
      return bytesOf('sha1', 'thin.pack')
    }
    await using repo = await open(path.join(unpacked, 'tiny'), { missing })
    expect(await codeOf(() => repo.read(tip))).toBe('CORRUPT')
    expect(asked).toEqual([[tip]])
  })

  test('is called once for all bases that a pack to index lacks', async () => {
    const asked: (readonly string[])[] = []
    const missing = (oids: readonly string[]) => {
      asked.push(oids)
      return bytesOf('sha1', 'fixed.pack')
    }
    const thin = bytesOf('sha1', 'thin.pack')
    const made = await indexPack(thin, { repository: path.join(unpacked, 'tiny'), missing })
    expect(asked.length).toBe(1)
    const { completion: expected } = await indexPack(thin, { repository: older })
    expect(made.completion).toEqual(expected)
    const appended = (expected?.objects ?? 0) - new DataView(thin.buffer).getUint32(8)
    // Some of the requested objects turn out to be deltas.
    expect(asked[0]?.length).toBeGreaterThanOrEqual(appended)
  })
})
