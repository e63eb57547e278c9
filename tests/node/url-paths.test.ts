/** Requests for paths of other repositories, and for names. */
import { open } from 'packlens'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { urlStore } from '../../dist/source/url/store.js'
import { FaultyServer, type ServedFile } from './servers/faulty.ts'
import { makeScene, withOtherPacks } from './servers/scene.ts'
import { codeOf } from './support.ts'

const scene = makeScene(4)
const bytes = (text: string) => new TextEncoder().encode(text)
let server: FaultyServer

beforeAll(async () => {
  server = await FaultyServer.start()
})

afterAll(() => server?.stop())

/** Opens the store of the synthetic repository, with additional files. */
async function storeWith(files: Record<string, string>) {
  const more = Object.entries(files).map(([path, text]) => {
    return [path, { bytes: Buffer.from(text), etag: `"${path.length}"` }] as const
  })
  server.reset(new Map<string, ServedFile>([...scene.files, ...more]))
  const store = await urlStore(new URL(`${server.url}/repo.git`), { memory: 4 << 20 })
  const textAt = async (path: string) => {
    const file = await store.open(path, bytes(path))
    if (!file) return null
    const target = new Uint8Array(file.size)
    if ('readInto' in file) file.readInto(0, target)
    else if ('read' in file) target.set(await file.read(0, file.size, {}))
    return Buffer.from(target).toString()
  }
  return { store, textAt }
}

let asked: () => string[]

beforeEach(() => {
  asked = () => server.asked.map(({ path }) => path)
})

const ALTERNATES = 'objects/info/alternates'

test('http-alternates precede alternates, and other servers are omitted', async () => {
  const http = `/other.git/objects\nhttps://evil.example/objects\n`
  const both = await storeWith({
    '/repo.git/objects/info/http-alternates': http,
    '/repo.git/objects/info/alternates': '/srv/git/other.git/objects\n',
  })
  expect(await both.textAt(ALTERNATES)).toBe('/other.git/objects\n')
  expect(asked()).not.toContain('/repo.git/objects/info/alternates')
  const disk = await storeWith({ '/repo.git/objects/info/alternates': '../../other.git/objects\n' })
  expect(await disk.textAt(ALTERNATES)).toBe('../../other.git/objects\n')
  const none = await storeWith({})
  expect(await none.textAt(ALTERNATES)).toBeNull()
  expect(await none.textAt(ALTERNATES)).toBeNull()
  expect(asked().filter((path) => path.endsWith('alternates'))).toHaveLength(2)
})

test('Paths to another repository are relative to its URL', async () => {
  const id = 'a'.repeat(38)
  const { store, textAt } = await storeWith({
    '/other.git/objects/info/packs': 'P pack-1.pack\n',
    '/other.git/objects/pack/pack-1.idx': 'an\0index',
    [`/other.git/objects/aa/${id}`]: 'x\x9c loose',
  })
  const names = ['pack-1.pack', 'pack-1.idx']
  for (const objects of ['../other.git/objects', '/other.git/objects']) {
    const list = `${objects}/pack`
    expect(await store.list(list, bytes(list))).toEqual(names)
    expect(await textAt(`${objects}/pack/pack-1.idx`)).toBe('an\0index')
    expect(await textAt(`${objects}/aa/${id}`)).toBe('x\x9c loose')
  }
  for (const folder of ['objects/ab', 'objects', 'refs/heads', '../other.git/refs']) {
    const before = asked().length
    expect(await store.list(folder, bytes(folder))).toEqual([])
    expect(asked()).toHaveLength(before)
  }
})

test.each([
  ['objects/info/http-alternates', '/repo.git/objects\n'],
  ['objects/info/http-alternates', 'HERE/repo.git/objects\n'],
  ['objects/info/alternates', '../../repo.git/objects\n'],
])('Objects are read from the repository that %s names as %j', async (name, text) => {
  const files = {
    '/borrows.git/HEAD': 'ref: refs/heads/main\n',
    '/borrows.git/info/refs': `${scene.oids[1]}\trefs/heads/main\n`,
    '/borrows.git/objects/info/packs': '\n',
    [`/borrows.git/${name}`]: text.replace('HERE', server.url),
  }
  await storeWith(files)
  await using repo = await open(`${server.url}/borrows.git`)
  const { oid, data } = await repo.read('HEAD')
  expect(oid).toBe(scene.oids[1])
  expect(Buffer.compare(data, scene.contents[1] as Uint8Array)).toBe(0)
  expect(await repo.find('f'.repeat(40))).toBeNull()
  // With alternates disabled, nothing outside of the repository is requested, nor the alternates.
  server.asked = []
  await using alone = await open(`${server.url}/borrows.git`, { http: { alternates: false } })
  expect(await codeOf(() => alone.read('HEAD'))).toBe('NOT_FOUND')
  expect(asked().filter((path) => !path.startsWith('/borrows.git/'))).toEqual([])
  expect(asked().filter((path) => path.endsWith('alternates'))).toEqual([])
})

test('With a list of refs no other files of refs are requested', async () => {
  const { textAt } = await storeWith({
    '/repo.git/FETCH_HEAD': 'fetched',
    '/repo.git/v1': 'no ref',
  })
  // The one pack and its index are prefetched at some time.
  const others = () => asked().filter((path) => !path.includes('/objects/pack/'))
  const before = others().length
  expect(await textAt('config')).toBe(
    '[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha1\n',
  )
  for (const path of ['refs/heads/main', 'v1', 'heads/main', 'main-worktree/HEAD', 'COMMIT.x']) {
    expect(await textAt(path), path).toBeNull()
  }
  expect(others()).toHaveLength(before)
  expect(await textAt('FETCH_HEAD')).toBe('fetched')
  expect(await textAt('ORIG_HEAD')).toBeNull()
  expect(others().slice(before)).toEqual(['/repo.git/FETCH_HEAD', '/repo.git/ORIG_HEAD'])
})

test('With an empty list of refs, `config` names the hash', async () => {
  const config = '[extensions]\n\tobjectFormat = sha256\n'
  const { textAt } = await storeWith({ '/repo.git/info/refs': '', '/repo.git/config': config })
  expect(await textAt('config')).toBe(config)
  expect(await textAt('packed-refs')).toBe('')
})

test('A list of refs is read in two ranges, a very long one in more', async () => {
  const line = (at: number) => `${'0'.repeat(39)}${at % 10}\trefs/tags/${'x'.repeat(200)}${at}\n`
  const lines = (count: number) => Array.from({ length: count }, (_, at) => line(at)).join('')
  for (const [text, parts] of [
    [lines(10), 1],
    [lines(1000), 2],
    [lines(6000), 2],
  ] as const) {
    const { textAt } = await storeWith({ '/repo.git/info/refs': text })
    expect((await textAt('packed-refs')) === text).toBe(true)
    const requests = server.asked.filter(({ path }) => path.endsWith('info/refs'))
    expect(requests.map(({ ranges }) => ranges[0]?.[0])).toEqual(parts === 1 ? [0] : [0, 32 << 10])
  }
  const firstRead = async (text: string) => {
    const { store } = await storeWith({ '/repo.git/info/refs': text })
    const file = await store.open('packed-refs', bytes('packed-refs'))
    if (!file || !('read' in file)) throw new Error('not read by parts')
    const read = await file.read(100_000, 1000, {})
    expect(Buffer.from(read).toString()).toBe(text.slice(100_000, 101_000))
    return server.asked.at(-1)?.ranges
  }
  expect(await firstRead(lines(1000))).toEqual([[32 << 10, lines(1000).length]])
  // Longer than 1 MiB: only the needed ranges.
  expect(await firstRead(lines(6000))).toEqual([[100_000, 101_000]])
})

test('A single pack and its index are requested once, and before they are opened', async () => {
  const { store } = await storeWith({})
  const index = `objects/pack/pack-${'5'.repeat(40)}.idx`
  const pack = index.replace(/idx$/, 'pack')
  for (const file of [index, pack]) {
    await expect.poll(asked).toContain(`/repo.git/${file}`)
  }
  const before = asked().length
  for (const file of [index, pack]) await store.open(file, bytes(file))
  expect(asked()).toHaveLength(before)
})

test.each([
  [16, 16, 0],
  [17, 0, 0],
])('Of %i packs, %i indexes and %i packs are requested at the opening', async (...counts) => {
  const [packs, ...expected] = counts
  server.reset(withOtherPacks(scene, packs - 1).files)
  const store = await urlStore(new URL(`${server.url}/repo.git`), { memory: 4 << 20 })
  const requested = () =>
    ['.idx', '.pack'].map((ending) => asked().filter((path) => path.endsWith(ending)).length)
  await expect.poll(requested).toEqual(expected)
  // The requests that follow from the list are sent before this one.
  await store.list('objects/pack', bytes('objects/pack'))
  await store.open('ORIG_HEAD', bytes('ORIG_HEAD'))
  expect(requested()).toEqual(expected)
})

describe('An index is read whole after its first bytes', () => {
  const rangesOf = async (size: number, count: number) => {
    const names = Array.from({ length: count }, (_, at) => `pack-${`${at}`.padStart(40, '7')}.idx`)
    const index = Buffer.from(Uint8Array.from({ length: size }, (_, at) => at >> 7))
    const files = names.map((name) => {
      return [`/repo.git/objects/pack/${name}`, { bytes: index, etag: `"${name}"` }] as const
    })
    server.reset(new Map<string, ServedFile>([...scene.files, ...files]))
    const store = await urlStore(new URL(`${server.url}/repo.git`), { memory: 4 << 20 })
    for (const name of names) {
      const path = `objects/pack/${name}`
      const file = await store.open(path, bytes(path))
      if (!file || !('read' in file)) throw new Error('not read by parts')
      const read = await file.read(20 << 10, 100, {})
      expect(index.subarray(20 << 10).indexOf(read)).toBe(0)
    }
    const last = `/repo.git/objects/pack/${names.at(-1)}`
    return server.asked.filter(({ path }) => path === last).map(({ ranges }) => ranges[0])
  }

  test('if it is small', async () => {
    expect(await rangesOf(32 << 10, 1)).toEqual([
      [0, 8 << 10],
      [8 << 10, 32 << 10],
    ])
    const needed = [20 << 10, (20 << 10) + 100]
    expect(await rangesOf((32 << 10) + 1, 1)).toEqual([[0, 8 << 10], needed])
  })

  test('but not of any number of indexes', async () => {
    const needed = [20 << 10, (20 << 10) + 100]
    // One of the 64 is that of the pack of the scene.
    expect((await rangesOf(32 << 10, 63))[1]).toEqual([8 << 10, 32 << 10])
    expect((await rangesOf(32 << 10, 64))[1]).toEqual(needed)
  })
})
