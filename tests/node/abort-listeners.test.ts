/** Checks that a caller's signal has one listener, however many reads wait for it. */
import { getEventListeners } from 'node:events'
import { open, type Repository } from 'packlens'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { indexedPackOf } from './blob-pack.ts'
import { FaultyServer } from './servers/faulty.ts'
import { noise } from './sources.ts'
import { codeOf } from './support.ts'

const PACK = `objects/pack/pack-${'5'.repeat(40)}.pack`
/** Blobs so far apart that no two are in one block. */
const contents = Array.from({ length: 30 }, (_, at) => noise(at, 150_000))
const { pack, idx, oids } = indexedPackOf(...contents)
const files = new Map(
  Object.entries({
    HEAD: 'ref: refs/heads/main\n',
    'info/refs': `${oids[0]}\trefs/heads/main\n`,
    'objects/info/packs': `P ${PACK.replace(/.*\//, '')}\n\n`,
    [PACK]: pack,
    [PACK.replace('.pack', '.idx')]: idx,
  }).map(([path, bytes]) => [`/repo.git/${path}`, { bytes: Buffer.from(bytes as Buffer) }]),
)

let server: FaultyServer
const warnings: string[] = []
const note = (warning: Error) => warnings.push(warning.name)

beforeAll(async () => {
  server = await FaultyServer.start()
  process.on('warning', note)
})

beforeEach(() => {
  server.reset(files)
  warnings.length = 0
})

afterAll(async () => {
  process.off('warning', note)
  await server?.stop()
})

const ofPack = () => server.asked.filter(({ path }) => path.endsWith('.pack')).length
const http = { pause: 50, gap: 0, multipart: false }

const openings: [string, () => Promise<Repository>][] = [
  ['here', () => open(`${server.url}/repo.git`, { http })],
  ['in a worker', () => open(`${server.url}/repo.git`, { http, worker: true })],
  [
    'in a worker that asks the page',
    () => open(`${server.url}/repo.git`, { http: { ...http, fetch }, worker: true }),
  ],
]

const calls: [string, (repo: Repository, signal: AbortSignal) => Promise<unknown>][] = [
  ['one batch', (repo, signal) => repo.readMany(oids, { signal, size: 8 << 20 })],
  ['many reads', (repo, signal) => Promise.all(oids.map((oid) => repo.read(oid, { signal })))],
]

describe.each(openings)('A signal has one listener %s', (_, openIt) => {
  test.each(calls)('of %s', async (_, call) => {
    await using repo = await openIt()
    const { signal } = new AbortController()
    let most = 0
    server.fault = () => {
      most = Math.max(most, getEventListeners(signal, 'abort').length)
    }
    await call(repo, signal)
    expect(ofPack()).toBeGreaterThan(oids.length)
    expect(most).toBe(1)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(warnings).toEqual([])
  })

  test.each(calls)('of %s, and an abort ends all waiting reads', async (_, call) => {
    await using repo = await openIt()
    // An opened pack: all reads wait for its first request.
    await repo.read(oids[0] as string)
    const before = ofPack()
    server.fault = (reply) => {
      reply.stallAt = -1
    }
    const controller = new AbortController()
    const answer = codeOf(() => call(repo, controller.signal))
    await expect.poll(ofPack).toBeGreaterThan(before + 4)
    controller.abort()
    expect(await answer).toBe('ABORTED')
    await expect.poll(() => getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})

test('Many requests that wait for a retry cause no warning of Node', async () => {
  await using repo = await open(`${server.url}/repo.git`, { http })
  server.fault = (reply, { times }) => {
    if (times === 0) reply.status = 503
  }
  await Promise.all(oids.map((oid) => repo.read(oid)))
  expect(server.faults).toBeGreaterThan(20)
  expect(warnings).toEqual([])
})
