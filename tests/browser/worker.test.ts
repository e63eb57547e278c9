/** Repositories that are read in a worker of the browser give the same answers as without one. */
import type { OpenOptions, RandomAccess, RepoSource, Repository, Store } from 'packlens'
import { load, open, openSync } from 'packlens'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { writeFolder } from './opfs.ts'
import {
  codeOf,
  collect,
  type Expected,
  errorOf,
  filesOf,
  fixture,
  fixtures,
  packed,
  packs,
  sha256,
} from './support.ts'
import type { Bytes } from './untar.ts'

let compared = 0

afterAll(() => {
  expect(compared).toBeGreaterThan(9_000)
})

function openIt(source: RepoSource, options: OpenOptions = {}): Promise<Repository> {
  return open(source, { ...options, worker: true })
}

async function expectObjects(repo: Repository, { objects }: Expected): Promise<void> {
  const found = await Promise.all(objects.map(({ oid }) => repo.read(oid)))
  const sums = await Promise.all(found.map(({ data }) => sha256(data)))
  expect(found.map(({ oid, type, size }, at) => [oid, type, size, sums[at]])).toEqual(
    objects.map(({ oid, type, size, sha256 }) => [oid, type, size, sha256]),
  )
  compared += found.length
}

async function expectNames(repo: Repository, of: Expected): Promise<void> {
  const specs = Object.entries(of.resolve).filter(([, oid], at) => oid && at % 3 === 0)
  const resolve = async ([spec]: [string, unknown]) => [spec, await repo.resolve(spec)]
  expect(await Promise.all(specs.map(resolve))).toEqual(specs)
  const refs = await collect(repo.refs.list({ peel: true }))
  expect(refs.map(({ name, oid, peeled }) => ({ name, oid, peeled }))).toEqual(
    of.refs.map(({ name, oid, peeled }) => ({ name, oid, peeled })),
  )
  const rows = await collect(repo.objects({ fields: 'info' }))
  expect(rows.map((row) => 'oid' in row && row.oid)).toEqual(of.objects.map(({ oid }) => oid))
  for (const [spec, { flat }] of Object.entries(of.lsTree)) {
    const names = (await collect(repo.walk(spec))).map(({ path }) => path)
    const lines = atob(flat).split('\0').slice(0, -1)
    expect(names.length).toBe(lines.length)
  }
}

const makers: [string, (bytes: Bytes) => ArrayBuffer | Uint8Array | Blob][] = [
  ['ArrayBuffers', (bytes) => bytes.slice().buffer],
  ['Blobs', (bytes) => new Blob([bytes])],
]

describe.each(packed)('Every object of $name equals git’s', (of) => {
  test.each(makers)('from %s', async (_, make) => {
    using repo = await openIt(await packs(of, make))
    await expectObjects(repo, of)
  })
})

/** Fixtures whose git directory is in their folder, not named by a `.git` file. */
const inside = fixtures.filter(
  ({ name }) => !/^(worktree|reftable)-(linked|separate)$|^worktree-/.test(name),
)

describe.each(inside)('All answers about $name equal git’s', (of) => {
  test('from a list of files', async () => {
    const files = [...(await filesOf(of))].map(([name, bytes]) => {
      const file = new File([bytes], name.split('/').at(-1) ?? '')
      return Object.defineProperty(file, 'webkitRelativePath', { value: `picked/${name}` })
    })
    using repo = await openIt(files)
    await expectObjects(repo, of)
    await expectNames(repo, of)
  })
})

const chosen = ['main', 'loose', 'sha256', 'empty'].map(fixture)

describe.each(chosen)('All answers about $name equal git’s', (of) => {
  test('from a folder of the private file system', async () => {
    using repo = await openIt(await writeFolder(`worker-${of.name}`, await filesOf(of)))
    await expectObjects(repo, of)
    await expectNames(repo, of)
  })

  test('from a store of the page', async () => {
    using repo = await openIt(storeIn(await filesOf(of)))
    await expectObjects(repo, of)
    await expectNames(repo, of)
  })

  test('from a FileList', async () => {
    const list = new DataTransfer()
    for (const [name, bytes] of await filesOf(of)) list.items.add(new File([bytes], name))
    expect(list.files).toBeInstanceOf(FileList)
    using repo = await openIt(list.files)
    await expectObjects(repo, of)
  })
})

/** A store of methods, which cannot be sent to a worker. */
function storeIn(files: ReadonlyMap<string, Bytes>): Store & { gate?: Promise<void> } {
  const git = files.has('HEAD') ? '' : '.git/'
  const store: Store & { gate?: Promise<void> } = {
    async get(path) {
      await store.gate
      return files.get(git + path) ?? null
    },
    list(directory) {
      const prefix = `${git}${directory}/`
      const below = [...files.keys()].filter((path) => path.startsWith(prefix))
      const names = below.map((path) => path.slice(prefix.length).replace(/\/.*/, '/'))
      return [...new Set(names)]
    },
  }
  return store
}

const main = fixture('main')
const oid = main.objects[0]?.oid ?? ''

async function openMain(options?: OpenOptions): Promise<Repository> {
  return openIt(await packs(main, (bytes) => bytes), options)
}

test('The source still belongs to the caller, and a lent buffer is filled', async () => {
  const source = await packs(main, (bytes) => bytes)
  const [pack] = source.packs.map(({ pack }) => pack as Bytes)
  const before = await sha256(pack as Bytes)
  using repo = await openIt(source)
  expect(await sha256(pack as Bytes)).toBe(before)
  const into = new ArrayBuffer(100_000)
  const batch = await repo.readMany([oid], { into })
  expect(batch.buffer).toBe(into)
  expect([...batch].map((row) => 'oid' in row && row.oid)).toEqual([oid])
})

test('Progress and counters are reported', async () => {
  // Then both begin with the full module, and neither counts what the reader reads before.
  await load({ preload: 'full' })
  const progress: number[] = []
  const source = await packs(main, (bytes) => bytes, { idx: false })
  using repo = await openIt(source, { onProgress: ({ done }) => progress.push(done) })
  expect(progress.length).toBeGreaterThan(0)
  using direct = await open(source)
  await Promise.all([direct.read(oid), repo.read(oid)])
  const { instanceMemory: _, ...counters } = direct.stats()
  expect(repo.stats()).toMatchObject(counters)
})

test('Errors equal those without a worker', async () => {
  const source = await packs(main, (bytes) => bytes.slice().fill(7, 300))
  using direct = await open(source).catch(() => open({ packs: [] }))
  using repo = await openIt(source).catch(() => openIt({ packs: [] }))
  for (const spec of ['no such name', oid, oid.slice(0, 5)]) {
    const expected = await errorOf(() => direct.read(spec))
    const error = await errorOf(() => repo.read(spec))
    expect({ ...error, message: error.message }).toEqual({ ...expected, message: expected.message })
  }
  const expected = await errorOf(() => open({} as RepoSource))
  expect((await errorOf(() => openIt({} as RepoSource))).message).toBe(expected.message)
  expect(await codeOf(() => openSync(source, { worker: true }))).toBe('BAD_INPUT')
})

test('An error of the platform is the cause', async () => {
  const folder = await writeFolder('worker-gone', await filesOf(main))
  const packFolder = await (await folder.getDirectoryHandle('objects')).getDirectoryHandle('pack')
  const names = await collect(packFolder.keys())
  const fileOf = async (end: string) => {
    const name = names.find((name) => name.endsWith(end)) ?? ''
    return (await packFolder.getFileHandle(name)).getFile()
  }
  const source = { packs: [{ pack: await fileOf('.pack'), idx: await fileOf('.idx') }] }
  using direct = await open(source)
  using repo = await openIt(source)
  const root = await navigator.storage.getDirectory()
  await root.removeEntry('worker-gone', { recursive: true })
  const reported = async (repo: Repository) => {
    const { code, message, cause } = await errorOf(() => repo.read(oid))
    if (!(cause instanceof DOMException)) throw new Error(`${cause}`)
    return { code, message, cause: { name: cause.name, message: cause.message } }
  }
  expect((await reported(repo)).code).toBe('CHANGED')
  expect(await reported(repo)).toEqual(await reported(direct))
})

const calls: [string, (repo: Repository, signal?: AbortSignal) => Promise<unknown>][] = [
  ['read', (repo, signal) => repo.read(oid, { signal })],
  ['objects', (repo, signal) => collect(repo.objects({ signal }))],
  ['stream', (repo, signal) => repo.stream(oid, { signal }).getReader().read()],
]

/** Packs whose bytes never arrive. */
function hanging() {
  let asked = (_: AbortSignal | undefined) => {}
  const wasAsked = new Promise<AbortSignal | undefined>((resolve) => {
    asked = resolve
  })
  const never: RandomAccess = {
    size: 100_000,
    read: (_offset, _length, options) => {
      asked(options?.signal)
      return new Promise(() => {})
    },
  }
  return { source: { packs: [{ pack: never, idx: never }] }, wasAsked }
}

/** Records the workers that are started during a test. */
function noteWorkers(): Worker[] {
  const workers: Worker[] = []
  const { Worker } = globalThis
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      workers.push(this)
    }
  }
  onTestFinished(() => {
    globalThis.Worker = Worker
  })
  return workers
}

describe.each(calls)('%s', (_, call) => {
  test('ends when it is aborted, in the source as well', async () => {
    const { source, wasAsked } = hanging()
    using repo = await openIt(source)
    const controller = new AbortController()
    const reason = new Error('no longer')
    const failed = call(repo, controller.signal).then(
      () => null,
      (error) => error,
    )
    const signal = await wasAsked
    controller.abort(reason)
    expect(await failed).toMatchObject({ code: 'ABORTED', cause: reason })
    await expect.poll(() => signal?.aborted).toBe(true)
  })

  test('ends when the repository is closed', async () => {
    const { source, wasAsked } = hanging()
    const repo = await openIt(source)
    const code = codeOf(() => call(repo))
    await wasAsked
    repo.close()
    repo.close()
    expect(await code).toBe('CLOSED')
    expect(await codeOf(() => call(repo))).toBe('CLOSED')
  })

  test('is INTERNAL when the worker is killed, and the next call starts another one', async () => {
    const workers = noteWorkers()
    const { source, wasAsked } = hanging()
    using waiting = await openIt(source)
    const code = codeOf(() => call(waiting))
    await wasAsked
    workers[0]?.terminate()
    expect(await code).toBe('INTERNAL')
    using repo = await openMain()
    workers[1]?.terminate()
    // Nothing is awaited while it dies, so the dead worker may still be asked.
    await call(repo).catch(({ code }) => expect(code).toBe('INTERNAL'))
    await call(repo)
    expect(workers.length).toBe(3)
    expect((await repo.read(oid)).oid).toBe(oid)
  })
})

test('A worker says nothing before the page can notice its end', async () => {
  const messages: object[] = []
  let release = () => {}
  const free = new Promise<void>((resolve) => {
    release = resolve
  })
  const { Worker } = globalThis
  // Has the worker's lock before the worker, as a busy browser would be slow to give it.
  globalThis.Worker = class extends Worker {
    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options)
      this.addEventListener('message', ({ data }) => {
        messages.push(data)
        release()
      })
    }
    override postMessage(message: unknown, transfer?: unknown): void {
      const { lock } = message as { lock?: string }
      if (lock) navigator.locks.request(lock, () => free)
      super.postMessage(message, transfer as Transferable[])
    }
  }
  onTestFinished(() => {
    globalThis.Worker = Worker
  })
  const opened = openMain()
  setTimeout(release, 500)
  using _ = await opened
  expect(messages[0]).toHaveProperty('lock')
})

test('A missing script is NETWORK, and the error says what to do', async () => {
  const { Worker } = globalThis
  globalThis.Worker = class extends Worker {
    constructor() {
      super('/no/such/script.js', { type: 'module' })
    }
  }
  onTestFinished(() => {
    globalThis.Worker = Worker
  })
  const error = await errorOf(() => openMain())
  const helps = expect.stringContaining(
    'await load({ reader: url, wasm: url, rest: url, worker: url })',
  )
  expect([error.code, error.message]).toEqual(['NETWORK', helps])
})

test('200 concurrent reads of each of two repositories are right', async () => {
  const both = [main, fixture('sha256')]
  const repos = await Promise.all(
    both.map(async (of) => openIt(await packs(of, (bytes) => new Blob([bytes])))),
  )
  const sums = async (of: Expected, repo: Repository | undefined) => {
    const objects = Array.from({ length: 200 }, (_, at) => of.objects[(at * 7) % of.objects.length])
    const found = await Promise.all(objects.map((object) => repo?.read(object?.oid ?? '')))
    expect(await Promise.all(found.map((object) => sha256(object?.data as Bytes)))).toEqual(
      objects.map((object) => object?.sha256),
    )
  }
  await Promise.all(both.map((of, at) => sums(of, repos[at])))
  for (const repo of repos) repo.close()
})

test('A cancelled stream frees its memory, and the page stays responsive', async () => {
  using repo = await openMain({ memory: 1 << 20 })
  for (let turn = 0; turn < 20; turn++) {
    const reader = repo.stream(oid, { chunkSize: 1 }).getReader()
    const { value } = await reader.read()
    expect(value?.byteLength).toBe(1)
    await reader.cancel()
    for await (const _ of repo.objects()) break
  }
  expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(1 << 20)
  expect((await repo.read(oid)).oid).toBe(oid)
})
