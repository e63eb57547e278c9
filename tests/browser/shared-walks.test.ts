/** Walks with workers that read commits, in a page. */
import { indexPack, open } from 'packlens'
import { beforeAll, expect, test } from 'vitest'
import { manyCommits } from './synthetic-packs.ts'

/** Below 8,192 commits no workers are started. */
const COUNT = 20_000

let source: { packs: { pack: Blob; idx: Uint8Array<ArrayBuffer> }[]; refs: Record<string, string> }
let oids: string[]
/** The number of files that one engine opens. */
let opened = 0

beforeAll(async () => {
  const made = await manyCommits(COUNT)
  const { idx } = await indexPack(made.pack)
  oids = made.oids.reverse()
  const refs = { HEAD: 'ref: refs/heads/main', 'refs/heads/main': oids[0] ?? '' }
  source = { packs: [{ pack: new Blob([made.pack]), idx }], refs }
  await using repo = await open(source)
  expect(await repo.countCommits('HEAD')).toBe(COUNT)
  opened = repo.stats().filesOpened
})

test.each([false, true])('A walk has the same answer; in a worker: %s', async (worker) => {
  await using repo = await open(source, { worker, workers: 2 })
  // Workers open the files as well.
  const joined = async () => {
    expect(await repo.countCommits('HEAD')).toBe(COUNT)
    return repo.stats().filesOpened
  }
  await expect.poll(joined).toBeGreaterThan(opened)
  const listed: string[] = []
  for await (const oid of repo.revList('HEAD')) listed.push(oid)
  expect(listed.length).toBe(COUNT)
  expect(listed.findIndex((oid, at) => oid !== oids[at])).toBe(-1)
})
