/** Every error of a source, a platform or a caller's function is wrapped in a PacklensError. */
import { spawnSync } from 'node:child_process'
import * as nodeFs from 'node:fs'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { PacklensError, RepoSource, Repository, Store } from 'packlens'
import { checkPack, indexPack, open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { bytesOf, packFiles, storeOf } from './sources.ts'
import { codeOf, collect, errorOf, fixture, gitDirectoryOf, root } from './support.ts'

const main = fixture('main')
const packed = fixture('mixed')
const packs = fixture('packs')
const temporary = mkdtempSync(path.join(tmpdir(), 'packlens-failing-'))
// Reads as another user.
chmodSync(temporary, 0o755)
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

let copies = 0
function copyOf(of = main): string {
  const folder = path.join(temporary, `copy-${++copies}`)
  cpSync(gitDirectoryOf(of), folder, { recursive: true })
  return folder
}

const longName = 'q'.repeat(300)

describe('A name that no file can have is NOT_FOUND:', () => {
  const ways: [string, (folder: string) => Promise<Repository>][] = [
    ['by path', (folder) => open(folder)],
    ['by path in a worker', (folder) => open(folder, { worker: true })],
    [
      'by a client of a file system',
      (folder) => open({ fs: { promises: nodeFs.promises }, gitdir: folder }),
    ],
  ]
  test.each(ways)('%s', async (_, openIt) => {
    await using repo = await openIt(gitDirectoryOf(main))
    for (const name of [longName, `${longName}/${longName}`, 'q'.repeat(5000), 'a\0b']) {
      expect(await repo.find(name), name.slice(0, 9)).toBeNull()
      expect(await codeOf(() => repo.resolve(name))).toBe('NOT_FOUND')
      expect(await repo.refs.get(`refs/heads/${name}`)).toBeNull()
      expect(await collect(repo.refs.log(`refs/heads/${name}`))).toEqual([])
      const batch = await repo.readMany([name, 'HEAD'], { fields: 'info' })
      expect([...batch].map(({ type }) => type)).toEqual(['missing', 'commit'])
    }
  })

  test('also as the target of a ref', async () => {
    const folder = copyOf()
    const target = `refs/heads/${'q'.repeat(5000)}`
    writeFileSync(path.join(folder, 'refs/heads/long'), `ref: ${target}\n`)
    await using plain = await open(gitDirectoryOf(main))
    await using repo = await open(folder)
    const others = (await collect(repo.refs.list())).filter(
      ({ name }) => name !== 'refs/heads/long',
    )
    expect(others).toEqual(await collect(plain.refs.list()))
    expect(await repo.refs.get('refs/heads/long')).toMatchObject({ oid: null, target })
    expect(await collect(repo.revList([], { all: true }))).toEqual(
      await collect(plain.revList([], { all: true })),
    )
    expect(await repo.resolve(':/.')).toBe(await plain.resolve(':/.'))
  })

  test('and a batch of the command line continues', () => {
    const cli = path.join(root, 'dist', 'node', 'cli', 'packlens.cjs')
    const args = [cli, '--git-dir', gitDirectoryOf(main), 'cat-file', '--batch-check=%(objecttype)']
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      input: `${longName}\nHEAD\n`,
      encoding: 'utf8',
    })
    expect({ stdout, stderr, status }).toEqual({
      stdout: `${longName} missing\ncommit\n`,
      stderr: '',
      status: 0,
    })
  })
})

test('Symbolic links that form a loop are not refs', async () => {
  const folder = copyOf()
  symlinkSync('loop', path.join(folder, 'refs/heads/loop'))
  symlinkSync('here', path.join(folder, 'refs/heads/here'))
  await using plain = await open(gitDirectoryOf(main))
  for (const source of [folder, { fs: { promises: nodeFs.promises }, gitdir: folder }]) {
    await using repo = await open(source)
    expect(await collect(repo.refs.list())).toEqual(await collect(plain.refs.list()))
  }
})

/** Root may read everything, so another user has to be refused. */
const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

function inProcess(folder: string, script: string): unknown {
  const entry = JSON.stringify(path.join(root, 'dist', 'node', 'packlens.js'))
  const text = `
    import { open, openSync } from ${entry}
    const folder = ${JSON.stringify(folder)}
    const outcome = async (ask) => {
      try { return await ask() } catch (error) {
        return { name: error.name, code: error.code, cause: error.cause?.code, message: error.message }
      }
    }
    const names = async (repo) => { const all = []; for await (const ref of repo.refs.list()) all.push([ref.name, ref.oid]); return all }
    ${script}`
  const args = ['--input-type=module', '--eval', text]
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    ...asNobody,
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

describe('A file without read permission', () => {
  test('hides its object; the error names the reason', () => {
    const folder = copyOf(fixture('loose'))
    const head = openSync(folder).resolve('HEAD')
    const file = path.join(folder, 'objects', head.slice(0, 2), head.slice(2))
    chmodSync(file, 0)
    const answer = inProcess(
      folder,
      `const repo = await open(folder)
       const { type } = [...await repo.readMany(['HEAD'])][0]
       console.log(JSON.stringify([await outcome(() => repo.read('HEAD')), type, (await names(repo)).length]))`,
    ) as [PacklensError, string, number]
    expect(answer[0]).toMatchObject({ name: 'PacklensError', code: 'SOURCE', cause: 'EACCES' })
    expect(answer[0].message).toContain(head.slice(2))
    expect(answer[1]).toBe('failed')
    expect(answer[2]).toBeGreaterThan(0)
  })

  test('is a broken ref, and an unreadable directory of refs is skipped, as git does', () => {
    const folder = copyOf()
    mkdirSync(path.join(folder, 'refs/heads/dir'))
    for (const name of ['locked', 'dir/inner']) {
      writeFileSync(path.join(folder, 'refs/heads', name), `${main.head.oid}\n`)
    }
    using before = openSync(folder)
    const expected = before.refs
      .list()
      .filter(({ name }) => name !== 'refs/heads/dir/inner')
      .map(({ name, oid }) => [name, name === 'refs/heads/locked' ? null : oid])
    chmodSync(path.join(folder, 'refs/heads/locked'), 0)
    chmodSync(path.join(folder, 'refs/heads/dir'), 0)
    const answer = inProcess(
      folder,
      `const repo = await open(folder)
       console.log(JSON.stringify([await names(repo), await outcome(() => repo.resolve('dir/inner'))]))`,
    ) as [unknown, PacklensError]
    expect(answer[0]).toEqual(expected)
    expect(answer[1].code).toBe('NOT_FOUND')
  })

  test.each(['pack', 'idx'] as const)('a .%s, is read from another pack that has it', (kind) => {
    const folder = copyOf(packed)
    const [first] = packFiles({ path: path.relative(path.join(root, 'target/fixtures'), folder) })
    if (!first) throw new Error('no pack')
    for (const copied of ['pack', 'idx'] as const) {
      copyFileSync(first[copied], path.join(folder, `objects/pack/pack-copy.${copied}`))
    }
    chmodSync(first[kind], 0)
    const answer = inProcess(
      folder,
      `const repo = await open(folder)
       const { type } = await repo.read('HEAD')
       console.log(JSON.stringify([type]))`,
    )
    expect(answer).toEqual(['commit'])
  })

  test('an .idx, hides the objects of its pack alone, as in git', () => {
    const folder = copyOf(packs)
    const pack = path.join(folder, 'objects/pack/pack-212b340015c649283b2f6033eb0299154ca26434')
    using whole = openSync(folder)
    const oids = packs.objects.map(({ oid }) => oid)
    const inside = oids.filter((oid) => whole.info(oid).pack?.includes(path.basename(pack)))
    expect(inside.length).toBeGreaterThan(0)
    chmodSync(`${pack}.idx`, 0)
    const answer = inProcess(
      folder,
      `const repo = await open(folder)
       const rows = [...await repo.readMany(${JSON.stringify(oids)}, { fields: 'info' })]
       const lost = rows.filter(({ type }) => type === 'missing').map(({ index }) => index)
       const listed = []
       for await (const { oid } of repo.objects({ fields: 'info' })) listed.push(oid)
       const one = await outcome(() => repo.read('${inside[0]}'))
       console.log(JSON.stringify([lost, listed, one]))`,
    ) as [number[], string[], PacklensError]
    expect(answer[0].map((at) => oids[at])).toEqual(inside)
    expect(answer[1]).toEqual(oids.filter((oid) => !inside.includes(oid)))
    expect(answer[2]).toMatchObject({ code: 'SOURCE', cause: 'EACCES' })
  })
})

describe('Many packs', () => {
  test('are read with few open files', () => {
    const folder = copyOf(packed)
    const [first] = packFiles({ path: path.relative(path.join(root, 'target/fixtures'), folder) })
    if (!first) throw new Error('no pack')
    for (let at = 0; at < 400; at++) {
      for (const kind of ['pack', 'idx'] as const) {
        copyFileSync(first[kind], path.join(folder, `objects/pack/pack-${at}.${kind}`))
      }
    }
    const cli = path.join(root, 'dist', 'node', 'cli', 'packlens.cjs')
    const command = `ulimit -n 256; "${process.execPath}" "${cli}" --git-dir "${folder}" cat-file --batch-check --batch-all-objects`
    const { stdout, stderr, status } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    expect(stdout.trim().split('\n').length).toBe(
      new Set(packed.objects.map(({ oid }) => oid)).size,
    )
  })

  test('whose files were closed are not read from other files of the same names', async () => {
    const folder = copyOf(packed)
    const packs = path.join(folder, 'objects/pack')
    await using repo = await open(folder)
    expect((await repo.read('HEAD')).type).toBe('commit')
    // Enough other packs to have its files closed.
    const others = await Promise.all(Array.from({ length: 130 }, () => open(folder)))
    for (const other of others) await other.read('HEAD')
    for (const name of readdirSync(packs)) {
      rmSync(path.join(packs, name))
      writeFileSync(path.join(packs, name), 'another file')
    }
    const outcomes = new Set<string>()
    for (const { oid } of packed.objects) {
      outcomes.add(await codeOf(() => repo.info(oid)).catch(() => 'answered from memory'))
    }
    for (const other of others) other.close()
    for (const outcome of outcomes) {
      expect(['answered from memory', 'CHANGED', 'CORRUPT', 'NOT_FOUND']).toContain(outcome)
    }
  })
})

describe('An exception of a caller’s function is the cause of a SOURCE:', () => {
  const own = new Error('mine')
  const thrown = (): never => {
    throw own
  }
  const rejected = () => Promise.reject(own)
  const store = storeOf(gitDirectoryOf(main))
  const [files] = packFiles(packed)
  const pack = bytesOf(files?.pack ?? '')
  const idx = bytesOf(files?.idx ?? '')
  const stores: [string, Store][] = [
    ['get', { ...store, get: thrown }],
    ['get, with promises', { ...store, get: rejected }],
    ['list', { ...store, list: thrown }],
    ['list, with promises', { ...store, list: rejected }],
    [
      'read',
      { ...store, get: (name) => (name === 'HEAD' ? { size: 9, read: thrown } : store.get(name)) },
    ],
    [
      'read, with promises',
      {
        ...store,
        get: (name) => (name === 'HEAD' ? { size: 9, read: rejected } : store.get(name)),
      },
    ],
    [
      'slice',
      {
        ...store,
        get: (name) => (name === 'HEAD' ? { byteLength: 9, slice: thrown } : store.get(name)),
      },
    ],
    [
      'a size',
      {
        ...store,
        get: () => ({
          get size(): number {
            return thrown()
          },
          read: thrown,
        }),
      },
    ],
  ]
  test.each(stores)('%s of a store', async (_, source) => {
    for (const worker of [false, true]) {
      const error = await errorOf(async () => {
        await using repo = await open(source, { worker })
        await collect(repo.refs.list())
        await repo.read('HEAD')
      })
      expect([error.code, error.cause]).toEqual(['SOURCE', own])
    }
  })

  const calls: [string, () => Promise<unknown>][] = [
    ['onProgress of open', () => open({ packs: [{ pack }] }, { onProgress: thrown })],
    ['onProgress of indexPack', () => indexPack(pack, { onProgress: thrown })],
    ['onListing', () => checkPack(pack, idx, { onListing: thrown })],
    [
      'onProgress of verify',
      async () => (await open(gitDirectoryOf(main))).fsck({ onProgress: thrown }),
    ],
    [
      'missing',
      async () => (await open({ packs: [{ pack }] }, { missing: thrown })).read('1'.repeat(40)),
    ],
    [
      'a stream',
      () =>
        indexPack(
          (async function* () {
            yield pack.subarray(0, 100)
            thrown()
          })(),
        ),
    ],
    [
      'sink.write',
      () =>
        indexPack(
          (async function* () {
            yield pack
          })(),
          { sink: { write: thrown, read: thrown } },
        ),
    ],
    [
      'sink.read',
      () =>
        indexPack(
          (async function* () {
            yield pack
          })(),
          { sink: { write: () => {}, read: rejected } },
        ),
    ],
  ]
  test.each(calls)('%s', async (_, call) => {
    const error = await errorOf(call)
    expect([error.code, error.cause]).toEqual(['SOURCE', own])
    expect(error.message).toContain('mine')
  })

  test('and a value that cannot be converted to text is one as well', async () => {
    const odd = { toString: thrown }
    const error = await errorOf(() =>
      open({
        get: () => {
          throw odd
        },
      }),
    )
    expect([error.code, error.cause]).toEqual(['SOURCE', odd])
  })
})

describe('A source that returns an invalid value is BAD_INPUT:', () => {
  const store = storeOf(gitDirectoryOf(main))
  const detached = new ArrayBuffer(64)
  structuredClone(detached, { transfer: [detached] })
  const cases: [string, unknown, RegExp][] = [
    ['a list that is no array', { ...store, list: () => 'refs' }, /`list`.*array of names/],
    ['a list of numbers', { ...store, list: () => [1, 2] }, /`list`.*array of names/],
    [
      'memory that was transferred',
      { packs: [{ pack: detached }] },
      /transferred to another thread/,
    ],
    [
      'a slice that is a number',
      { ...store, get: () => ({ byteLength: 9, slice: () => 9e9 }) },
      /`slice`.*ArrayBuffer/,
    ],
    ['a file that is a number', { ...store, get: () => 5 }, /not a source of bytes/],
  ]
  test.each(cases)('%s', async (_, source, message) => {
    const error = await errorOf(async () => {
      await using repo = await open(source as RepoSource)
      await collect(repo.refs.list())
    })
    expect([error.code, error.message]).toEqual(['BAD_INPUT', expect.stringMatching(message)])
    // The instance is unaffected: another repository is read.
    using other = openSync(gitDirectoryOf(main))
    expect(other.read('HEAD').type).toBe('commit')
  })
})
