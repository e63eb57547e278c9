/** Walks over commits on a server, with and without a commit-graph. */
import { cpSync } from 'node:fs'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startNginx } from '../../scripts/lib/nginx-server.mjs'
import { type Served, serveFixtures } from './servers/served.ts'
import { collect, fixture, folderOf } from './support.ts'

const kinds = ['plain', 'dates', 'chain']
const of = fixture('walks')
const served: Served[] = []
let server: { url: string; stop: () => Promise<void> }

beforeAll(async () => {
  const places = kinds.map((kind) => {
    const one = serveFixtures([of])
    served.push(one)
    const info = path.join(one.folder, 'walks.git', 'objects', 'info')
    if (kind !== 'plain') {
      cpSync(path.join(folderOf(of), 'graphs', kind), info, { recursive: true })
    }
    return { prefix: `/${kind}/`, folder: one.folder }
  })
  server = await startNginx(places)
})

afterAll(async () => {
  await server?.stop()
  for (const one of served) one.remove()
})

test.each(kinds)('the answers from a URL are equal, graph: %s', async (kind) => {
  using local = openSync(folderOf(of))
  await using repo = await open(`${server.url}/${kind}/walks.git`)
  for (const specs of [['main'], ['main~2...cross/left'], ['--all', '^main~3']]) {
    expect(await collect(repo.revList(specs))).toEqual([...local.revList(specs)])
  }
  const asked = repo.stats().requests
  expect(await repo.mergeBase('main~4', 'tips/000')).toBe(local.mergeBase('main~4', 'tips/000'))
  expect(repo.stats().requests - asked).toBeLessThanOrEqual(2)
  expect(repo.stats().requests).toBeLessThan(20)
  // Tags are read from the pack, and commits only without a graph.
  const { objects } = repo.stats()
  if (kind === 'dates') expect(objects).toBeLessThan(20)
  else expect(objects).toBeGreaterThan(kind === 'plain' ? 500 : 100)
})
