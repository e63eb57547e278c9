/** Workers that share jobs over whole packs, in a page. */
import { checkPack, indexPack, open } from 'packlens'
import { beforeAll, expect, test } from 'vitest'
import { manyBlobs } from './synthetic-packs.ts'

/** Ten work units: below eight, no workers are started. */
const COUNT = 40_000

let pack: Uint8Array<ArrayBuffer>
let idx: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  pack = await manyBlobs(COUNT)
  idx = (await indexPack(pack)).idx
})

test.each([false, true])('All objects are listed once; in a worker: %s', async (worker) => {
  await using repo = await open(
    { packs: [{ pack: new Blob([pack]), idx }] },
    { worker, workers: 2 },
  )
  const seen = new Set<string>()
  const decoder = new TextDecoder()
  for await (const row of repo.objects({ unordered: true, lend: true })) {
    if (row.type === 'blob') seen.add(decoder.decode(row.data))
  }
  expect(seen.size).toBe(COUNT)
  expect(repo.stats().objects).toBe(COUNT)
})

test.each([false, true])('Indexes are equal; in a worker: %s', async (worker) => {
  const made = await indexPack(pack, { worker, workers: 2 })
  expect(made.idx.length).toBe(idx.length)
  expect(made.idx.findIndex((byte, at) => byte !== idx[at])).toBe(-1)
  expect((await checkPack(pack, idx, { worker, workers: 1 })).objects).toBe(COUNT)
})
