/** A walk over a tree requests all known needs at once. */
import { open } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FaultyServer } from './servers/faulty.ts'
import { servedTrees } from './spread-blobs.ts'
import { collect } from './support.ts'

const { files, sizes } = servedTrees(3, 16)
let server: FaultyServer

beforeAll(async () => {
  server = await FaultyServer.start()
  server.reset(files)
})

afterAll(() => server?.stop())

test('Sizes of blobs that are far apart are requested together', async () => {
  await using repo = await open(`${server.url}/repo.git`)
  const before = repo.stats().requests
  const found = new Map<string, number>()
  for await (const { path, type, size } of repo.walk('HEAD', { recursive: true, sizes: true })) {
    if (type === 'blob') found.set(path, size as number)
  }
  expect(found).toEqual(sizes)
  // The index, the beginning of the pack, the commit, a tree; then, of each folder, its
  // tree and in a request or two its 16 blobs, each in a block of its own.
  expect(repo.stats().requests - before).toBeLessThanOrEqual(3 + 3 * 3)
})

test('Trees are requested together, too, and blobs not at all', async () => {
  await using repo = await open(`${server.url}/repo.git`)
  const before = repo.stats()
  const entries = await collect(repo.walk('HEAD', { recursive: true }))
  expect(entries).toHaveLength(3 + sizes.size)
  const { requests, receivedBytes } = repo.stats()
  expect(requests - before.requests).toBeLessThanOrEqual(5)
  expect(receivedBytes - before.receivedBytes).toBeLessThan(400_000)
})
