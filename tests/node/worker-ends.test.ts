/** Calls, listings and workers that end early. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Packlens from 'packlens'
import type { Store } from 'packlens'
import { open } from 'packlens'
import { describe, expect, test } from 'vitest'
import { PROCESS_TIMEOUT } from '../support/timeouts.ts'
import { packOf } from './blob-pack.ts'
import { asyncStoreOf, bytesOf, hanging, noise, packs } from './sources.ts'
import { codeOf, collect, errorOf, fixture, folderOf, root, sha256 } from './support.ts'
import { calls, openIt, thrown, withWorkers } from './worker-support.ts'

const main = fixture('main')
const oid = main.objects[0]?.oid ?? ''
const target = path.resolve(root, process.env.CARGO_TARGET_DIR || 'target')

describe.each(calls)('%s', (_, call) => {
  test('ends before it begins if the signal was aborted', async () => {
    await using repo = await openIt(folderOf(main))
    const before = repo.stats()
    const reason = new Error('no need')
    const error = await errorOf(() => call(repo, AbortSignal.abort(reason)))
    expect([error.code, error.cause]).toEqual(['ABORTED', reason])
    await repo.refs.get('refs/none')
    expect(repo.stats().lookups).toBe(before.lookups)
  })

  test('ends when the signal is aborted, in the source as well', async () => {
    const { source, signals, wasAsked } = hanging()
    await using repo = await openIt(source)
    const controller = new AbortController()
    const answer = errorOf(() => call(repo, controller.signal))
    await wasAsked
    const reason = new Error('took too long')
    controller.abort(reason)
    const error = await answer
    expect([error.code, error.cause]).toEqual(['ABORTED', reason])
    await expect.poll(() => signals.map((signal) => signal.aborted)).toEqual([true])
  })

  test('ends when the repository is closed, in the source as well', async () => {
    const { source, signals, wasAsked } = hanging()
    const repo = await openIt(source)
    const answer = codeOf(() => call(repo))
    await wasAsked
    repo.close()
    repo.close()
    expect(await answer).toBe('CLOSED')
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
    expect(await codeOf(() => call(repo))).toBe('CLOSED')
    expect(await codeOf(() => repo.stats())).toBe('CLOSED')
  })

  test('is INTERNAL when the worker is killed; the next call starts another one', async () => {
    const { source, wasAsked } = hanging()
    const [first, waiting] = await withWorkers(() => openIt(source))
    const answer = errorOf(() => call(first))
    await wasAsked
    await waiting[0]?.terminate()
    const error = await answer
    expect([error.code, error.message]).toEqual(['INTERNAL', expect.stringContaining('worker')])
    first.close()

    const [repo, workers] = await withWorkers(() => openIt(asyncStoreOf(folderOf(main))))
    const [type] = main.objects.filter((object) => object.oid === oid).map(({ type }) => type)
    const wrong = _ === 'walk' && type === 'blob' ? 'WRONG_TYPE' : 'answered'
    await workers[0]?.terminate()
    expect(
      await call(repo).then(
        () => 'answered',
        ({ code }) => code,
      ),
    ).toBe(wrong)
    repo.close()
  })
})

describe('Opening', () => {
  test('ends with its worker when its signal is aborted', async () => {
    const nothing: Store = { get: () => new Promise(() => {}), list: () => new Promise(() => {}) }
    for (const signal of [AbortSignal.abort(), AbortSignal.timeout(100)]) {
      const [error, workers] = await withWorkers(() =>
        errorOf(() => open(nothing, { worker: true, signal })),
      )
      expect([error.code, error.cause]).toEqual(['ABORTED', signal.reason])
      for (const worker of workers) await expect.poll(() => worker.threadId).toBe(-1)
    }
  })

  test('starts a worker each, which ends when the repository is closed', async () => {
    const [repos, workers] = await withWorkers(() =>
      Promise.all([openIt(folderOf(main)), openIt(folderOf(main))]),
    )
    expect(workers.length).toBe(2)
    repos[0]?.close()
    await expect
      .poll(() => workers.map(({ threadId }) => threadId > 0).sort())
      .toEqual([false, true])
    expect((await repos[1]?.read(oid))?.oid).toBe(oid)
    repos[1]?.close()
    await expect.poll(() => workers.map(({ threadId }) => threadId)).toEqual([-1, -1])
  })

  /** Makes a copy of the package without one of its files. */
  async function copyWithout(file: string, name: string) {
    const folder = path.join(target, 'tmp', name)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), { recursive: true })
    cpSync(path.join(root, 'package.json'), path.join(folder, 'package.json'))
    const script = path.join(folder, 'dist', file)
    renameSync(script, `${script}.away`)
    const entry = pathToFileURL(path.join(folder, 'dist', 'node', 'packlens.js')).href
    return { script, other: (await import(/* @vite-ignore */ entry)) as typeof Packlens }
  }

  const module = bytesOf(path.join(root, 'dist', 'wasm', 'packlens_bg.wasm'))
  const headers = { 'Content-Type': 'application/wasm' }
  test.each([
    ['bytes', () => module],
    ['a module', () => new WebAssembly.Module(module)],
    ['an address', () => `data:application/wasm;base64,${Buffer.from(module).toString('base64')}`],
    ['a response', () => new Response(module, { headers })],
  ])('loads the module that was given as %s', async (name, make) => {
    const { other } = await copyWithout('wasm/packlens_bg.wasm', `module-${name}`)
    const error = await thrown(() => other.open(folderOf(main), { worker: true }))
    expect(error).toMatchObject({ code: 'ENOENT' })
    await other.load(make())
    await using repo = await other.open(folderOf(main), { worker: true })
    expect((await repo.read(oid)).oid).toBe(oid)
  })

  test('is INTERNAL if the script of the worker is missing', async () => {
    const { script, other } = await copyWithout('node/packlens-worker.js', 'no-worker')
    const error = await thrown(() => other.open(folderOf(main), { worker: true }))
    expect(other.isPacklensError(error, 'INTERNAL')).toBe(true)
    expect((error as Packlens.PacklensError).cause).toMatchObject({
      message: expect.stringContaining('worker.js'),
    })
    renameSync(`${script}.away`, script)
    await using repo = await other.open(folderOf(main), { worker: true })
    expect((await repo.read(oid)).oid).toBe(oid)
  })
})

describe('A worker that is killed', () => {
  test('ends its listings, and no others', async () => {
    const [[repo, other], workers] = await withWorkers(async () => [
      await open(folderOf(main), { worker: true, memory: 5 << 19 }),
      await openIt(folderOf(fixture('sha256'))),
    ])
    const rows = repo.objects()
    await rows.next()
    await workers[0]?.terminate()
    const error = await errorOf(() => collect(rows))
    expect([error.code, error.message]).toEqual(['INTERNAL', expect.stringContaining('worker')])
    expect(await collect(repo.objects({ fields: 'info' }))).toHaveLength(main.objects.length)
    expect((await other.read('HEAD')).oid).toBe(fixture('sha256').head.oid)
    repo.close()
    other.close()
  })

  test('is replaced by one for all waiting calls', async () => {
    const [repo, workers] = await withWorkers(() => openIt(packs(main, (bytes) => bytes)))
    await workers[0]?.terminate()
    const [found, later] = await withWorkers(() =>
      Promise.all(main.objects.slice(0, 50).map(({ oid }) => repo.read(oid))),
    )
    expect(found.map(({ data }) => sha256(data))).toEqual(
      main.objects.slice(0, 50).map((object) => object.sha256),
    )
    expect(later.length).toBe(1)
    repo.close()
  })

  test('is not replaced if the source was transferred', async () => {
    const folder = path.join(target, 'tmp', 'gone')
    rmSync(folder, { recursive: true, force: true })
    cpSync(folderOf(fixture('tiny')), folder, { recursive: true })
    const [repo, workers] = await withWorkers(() => openIt(folder))
    rmSync(folder, { recursive: true })
    await workers[0]?.terminate()
    const before = repo.stats()
    expect(await codeOf(() => repo.read('HEAD'))).toBe('NOT_FOUND')
    expect(repo.stats()).toEqual(before)
    cpSync(folderOf(fixture('tiny')), folder, { recursive: true })
    expect((await repo.read('HEAD')).oid).toBe(fixture('tiny').head.oid)
    repo.close()
  })
})

describe('A stream', () => {
  const {
    pack,
    oids: [blob = ''],
  } = packOf(noise(7, 9 << 20))

  test('reads only on demand, and stops when it is cancelled', async () => {
    await using repo = await open({ packs: [{ pack }] }, { worker: true, memory: 1 << 20 })
    const before = repo.stats().bytesRead
    const reader = repo.stream(blob).getReader()
    await reader.read()
    await reader.cancel()
    await repo.refs.get('HEAD')
    expect(repo.stats().bytesRead - before).toBeLessThan(1 << 20)
    expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(1 << 20)
    expect((await repo.info(blob)).size).toBe(9 << 20)
  })

  test('stops when its signal is aborted', async () => {
    await using repo = await open({ packs: [{ pack }] }, { worker: true, memory: 1 << 20 })
    const controller = new AbortController()
    const reader = repo.stream(blob, { signal: controller.signal }).getReader()
    await reader.read()
    controller.abort()
    expect(await codeOf(() => reader.read())).toBe('ABORTED')
    expect((await repo.info(blob)).size).toBe(9 << 20)
  })

  test('has chunks in memory of their own', async () => {
    await using repo = await open({ packs: [{ pack }] }, { worker: true, memory: 1 << 20 })
    const buffers = new Set<ArrayBufferLike>()
    let size = 0
    for await (const chunk of repo.stream(blob) as unknown as AsyncIterable<Uint8Array>) {
      buffers.add(chunk.buffer)
      size += chunk.byteLength
      structuredClone(chunk, { transfer: [chunk.buffer as ArrayBuffer] })
    }
    expect([size, buffers.size]).toEqual([9 << 20, (9 << 20) / (32 << 10)])
  })

  test('of a listing that is left or aborted early frees its memory', async () => {
    await using repo = await open(folderOf(main), { worker: true, memory: 5 << 19 })
    for (let turn = 0; turn < 20; turn++) {
      for await (const _ of repo.objects()) break
      const controller = new AbortController()
      const rows = repo.objects({ signal: controller.signal })
      await rows.next()
      controller.abort()
      expect(await codeOf(() => collect(rows))).toBe('ABORTED')
    }
    expect(await collect(repo.objects())).not.toHaveLength(0)
    expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(5 << 19)
  })
})

describe('A process', () => {
  const run = (script: string) => {
    const text = `import { open } from 'packlens'\n${script}`
    const options = ['--input-type=module', '-e', text, folderOf(main)]
    return spawnSync(process.execPath, options, {
      cwd: root,
      encoding: 'utf8',
      timeout: PROCESS_TIMEOUT,
    })
  }

  test('ends on its own while a repository is open, but not while a call waits', () => {
    const { status, stdout, stderr } = run(`
      const repo = await open(process.argv[1], { worker: true })
      console.log((await repo.read('HEAD')).oid)
      let n = 0
      for await (const row of repo.objects()) n += row.dataOffset === 0 ? 1 : 0
      console.log(n)
    `)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toBe(`${main.head.oid}\n${main.objects.length}\n`)
  })

  test('may change its working directory: the open repository stays the same', () => {
    const { status, stdout } = run(`
      process.chdir(process.argv[1])
      const workers = []
      process.on('worker', (worker) => workers.push(worker))
      const repo = await open('.', { worker: true })
      process.chdir('..')
      await workers[0].terminate()
      console.log((await repo.read('HEAD')).oid)
    `)
    expect([status, stdout]).toEqual([0, `${main.head.oid}\n`])
  })

  test('ends on its own when all repositories are closed while calls wait', () => {
    const { status, stdout } = run(`
      const get = (path) => path.startsWith('objects') ? new Promise(() => {}) : null
      const repo = await open({ get }, { worker: true })
      repo.read('0'.repeat(40)).catch((error) => console.log(error.code))
      setTimeout(() => repo.close(), 100)
    `)
    expect([status, stdout]).toEqual([0, 'CLOSED\n'])
  })
})
