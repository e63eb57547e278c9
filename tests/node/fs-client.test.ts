/** File system clients in the shapes that isomorphic-git takes. */
import fs, { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createFsFromVolume, Volume } from 'memfs'
import type { FsClient, FsSource } from 'packlens'
import { indexPack, open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noise, packOfBlobs } from './sources.ts'
import { codeOf, collect, errorOf, fixture, folderOf } from './support.ts'

const tiny = fixture('tiny')
const oid = tiny.head.oid ?? ''

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

const SIZE = 1 << 20

/** Returns a volume in memory with a repository of 3 MiB in one pack. */
function largeVolume() {
  const { pack, oids } = packOfBlobs([1, 2, 3].map((seed) => noise(seed, SIZE)))
  const volume = new Volume()
  volume.mkdirSync('/large/objects/pack', { recursive: true })
  volume.writeFileSync('/large/HEAD', 'ref: refs/heads/main\n')
  volume.writeFileSync('/large/objects/pack/pack-1.pack', pack)
  return { volume, size: pack.length, oids }
}

/** Wraps the promises of a volume, and counts the calls and bytes. */
function counted(volume: Volume) {
  const { promises } = createFsFromVolume(volume)
  const counts = { opened: 0, closed: 0, bytes: 0, whole: [] as string[] }
  const openFile = async (file: string, flags: string) => {
    const handle = await promises.open(file, flags)
    counts.opened++
    return {
      stat: () => handle.stat(),
      async read(target: Uint8Array, at: number, length: number, from: number) {
        const answer = await handle.read(target, at, length, from)
        counts.bytes += answer.bytesRead
        return answer
      },
      async close() {
        counts.closed++
        await handle.close()
      },
    }
  }
  const readFile = (file: string) => {
    counts.whole.push(path.posix.basename(file))
    return promises.readFile(file)
  }
  const { readdir, stat } = promises
  return {
    counts,
    able: { readFile, readdir, stat, open: openFile },
    plain: { readFile, readdir, stat },
  }
}

describe('A client', () => {
  test.each([
    ['with neither place', { fs }],
    ['without readdir', { fs: { readFile: fs.readFile, stat: fs.stat }, dir: '/' }],
    ['that is none', { fs: null, dir: '/' }],
  ])('%s is BAD_INPUT', async (_, source) => {
    expect(await codeOf(() => open(source as FsSource))).toBe('BAD_INPUT')
  })

  test('without a repository is NOT_FOUND, with the path', async () => {
    for (const source of [{ dir: folder }, { gitdir: folder }, { dir: `${folder}/none` }]) {
      const error = await errorOf(() => open({ fs, ...source }))
      expect([error.code, error.subject]).toEqual(['NOT_FOUND', source.dir ?? source.gitdir])
    }
  })

  test('needs promises, and a failed synchronous opening leaves nothing open', async () => {
    const { counts, able } = counted(largeVolume().volume)
    const source = { fs: { promises: able }, gitdir: '/large' }
    expect(await codeOf(() => openSync(source))).toBe('BAD_INPUT')
    await expect.poll(() => counts.closed).toBe(1)
    expect(counts.opened).toBe(1)
  })

  test('that throws is reported with its own message', async () => {
    const cause = Object.assign(new Error('EIO: the disk is on fire'), { code: 'EIO' })
    const failing = { ...fs.promises, readFile: () => Promise.reject(cause) }
    await using repo = await open({ fs: { promises: fs.promises }, dir: folderOf(tiny) })
    expect((await repo.read(oid)).oid).toBe(oid)
    const error = await errorOf(() => open({ fs: { promises: failing }, dir: folderOf(tiny) }))
    expect([error.code, error.cause]).toEqual(['SOURCE', cause])
    expect(error.message).toContain('the disk is on fire')
  })

  test('that returns text for bytes is BAD_INPUT', async () => {
    const promises = { ...fs.promises, readFile: async () => 'text' }
    const error = await errorOf(() => open({ fs: { promises }, dir: folderOf(tiny) }))
    expect([error.code, error.message]).toEqual([
      'BAD_INPUT',
      expect.stringContaining('Uint8Array'),
    ])
  })

  // Other systems do not allow such names.
  test.runIf(process.platform === 'linux')('may take names that are not UTF-8', async () => {
    const copy = path.join(folder, 'names')
    cpSync(folderOf(tiny), copy, { recursive: true })
    const name = Buffer.from('refs/heads/caf\xe9', 'latin1')
    mkdirSync(path.join(copy, 'refs', 'heads'), { recursive: true })
    fs.writeFileSync(Buffer.concat([Buffer.from(`${copy}/`), name]), `${oid}\n`)
    await using repo = await open({ fs, gitdir: copy })
    const found = (await collect(repo.refs.list())).find(({ nameBytes }) => name.equals(nameBytes))
    expect(found?.oid).toBe(oid)
  })
})

describe('A large pack', () => {
  test('is read by ranges if the client can, and closed', async () => {
    const { volume, size, oids } = largeVolume()
    const { counts, able } = counted(volume)
    const repo = await open({ fs: { promises: able }, gitdir: '/large' })
    for (const id of oids) expect((await repo.read(id)).size).toBe(SIZE)
    const { bytesRead } = repo.stats()
    expect(counts.bytes).toBe(bytesRead)
    // A block that grows may begin with bytes that were read before.
    expect(bytesRead / size).toBeLessThan(1.2)
    expect([counts.opened, counts.closed]).toEqual([1, 0])
    expect(new Set(counts.whole)).toEqual(new Set())
    repo.close()
    repo.close()
    expect([counts.opened, counts.closed]).toEqual([1, 1])
  })

  test('is read by small ranges at first, which grow', async () => {
    const main = fixture('main')
    const { volume } = largeVolume()
    const { oids } = packOfBlobs([1].map((seed) => noise(seed, SIZE)))
    const packs = path.join(folderOf(main), 'objects', 'pack')
    for (const name of fs.readdirSync(packs)) {
      volume.writeFileSync(`/large/objects/pack/${name}`, fs.readFileSync(path.join(packs, name)))
    }
    // Otherwise opening reads the whole pack, and large blocks are read from then on.
    const pack = new Uint8Array(volume.readFileSync('/large/objects/pack/pack-1.pack') as Buffer)
    const { idx } = await indexPack(pack)
    volume.writeFileSync('/large/objects/pack/pack-1.idx', Buffer.from(idx))
    const { counts, able } = counted(volume)
    await using repo = await open({ fs: { promises: able }, gitdir: '/large' }, { replace: false })
    counts.bytes = 0
    await repo.read(main.head.oid ?? '')
    // The index, and a block of the pack.
    expect(counts.bytes).toBeLessThan(24 << 10)
    const { blocksRead } = repo.stats()
    await repo.read(oids[0] ?? '')
    // Reads of 8 KiB would be 128.
    expect(repo.stats().blocksRead - blocksRead).toBeLessThan(20)
  })

  test('is read whole, once, if the client cannot', async () => {
    const { volume, oids } = largeVolume()
    const { counts, plain } = counted(volume)
    await using repo = await open({ fs: { promises: plain }, gitdir: '/large' })
    for (const id of oids) expect((await repo.read(id)).size).toBe(SIZE)
    expect(counts.whole).toEqual(['pack-1.pack'])
  })

  test('that is read whole is evicted if others need the memory', async () => {
    const { volume, oids } = largeVolume()
    const other = packOfBlobs([4, 5, 6].map((seed) => noise(seed, SIZE)))
    volume.writeFileSync('/large/objects/pack/pack-2.pack', other.pack)
    const { counts, plain } = counted(volume)
    const source = { fs: { promises: plain }, gitdir: '/large' }
    await using repo = await open(source, { memory: 4 << 20 })
    counts.whole.length = 0
    for (const id of [oids[0], other.oids[0], oids[2]]) await repo.read(id ?? '')
    const names = counts.whole.filter((name, at) => name !== counts.whole[at - 1])
    expect(names).toEqual(['pack-1.pack', 'pack-2.pack', 'pack-1.pack'])
  })

  test('that is read whole must fit in memory, and the error says what to do', async () => {
    const { volume } = largeVolume()
    const { plain } = counted(volume)
    const source = { fs: { promises: plain }, gitdir: '/large' }
    const error = await errorOf(() => open(source, { memory: 2 << 20 }))
    expect(error.code).toBe('LIMIT')
    expect(error.message).toMatch(/`memory`.*`open`/)
  })

  test('that is closed during a read is closed after it', async () => {
    const { volume, oids } = largeVolume()
    const { counts, able } = counted(volume)
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let gated = false
    let waiting = false
    const openFile = async (file: string, flags: string) => {
      const handle = await able.open(file, flags)
      const read: typeof handle.read = async (...args) => {
        waiting = gated
        if (gated) await gate
        expect(counts.closed).toBe(0)
        return handle.read(...args)
      }
      return { ...handle, read }
    }
    const repo = await open(
      { fs: { promises: { ...able, open: openFile } }, gitdir: '/large' },
      {
        memory: 2 << 20,
      },
    )
    gated = true
    const answer = codeOf(() => repo.read(oids[0] ?? ''))
    await expect.poll(() => waiting).toBe(true)
    repo.close()
    expect(await answer).toBe('CLOSED')
    expect(counts.closed).toBe(0)
    goOn()
    await expect.poll(() => counts.closed).toBe(1)
  })
})

describe('A file that changes', () => {
  test('within one tick of the clock is seen as changed', async () => {
    const volume = new Volume()
    const client: FsClient = createFsFromVolume(volume)
    volume.mkdirSync('/r/objects', { recursive: true })
    volume.mkdirSync('/r/refs/heads', { recursive: true })
    volume.writeFileSync('/r/HEAD', 'ref: refs/heads/main\n')
    await using repo = await open({ fs: client, gitdir: '/r' })
    for (let at = 0; at < 50; at++) {
      const id = at.toString(16).padStart(40, '0')
      volume.writeFileSync('/r/refs/heads/main', `${id}\n`)
      expect((await repo.refs.get('HEAD'))?.oid).toBe(id)
    }
  })

  test('between `stat` and the read is not taken for the old one', async () => {
    const copy = path.join(folder, 'changing')
    cpSync(folderOf(tiny), copy, { recursive: true })
    const readFile = (file: string) => {
      if (file.endsWith('/HEAD')) writeFileSync(file, 'ref: refs/heads/longer\n')
      return fs.promises.readFile(file)
    }
    await using repo = await open({ fs: { promises: { ...fs.promises, readFile } }, gitdir: copy })
    // The file is checked once more, within the same question.
    expect((await repo.refs.get('HEAD'))?.target).toBe('refs/heads/longer')
  })
})
