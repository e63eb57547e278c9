/** A page compiles each module once, however many of its workers need it. */
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { load, open } from 'packlens'
import { afterAll, expect, test } from 'vitest'
import { fixture, folderOf, root } from './support.ts'

const main = fixture('main')

/** How often each module was requested. */
const requests: Record<string, number> = {}

const server = http.createServer(({ url = '' }, response) => {
  requests[url] = (requests[url] ?? 0) + 1
  response.setHeader('Content-Type', 'application/wasm')
  response.end(fs.readFileSync(path.join(root, 'dist', 'wasm', url)))
})

afterAll(() => server.close())

test('A later worker gets the modules that the first one has compiled', async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  await load({ reader: `${base}packlens_reader.wasm`, wasm: `${base}packlens_bg.wasm` })
  const counts = { '/packlens_reader.wasm': 1 }
  expect(requests).toEqual(counts)
  const opened: number[] = []
  for (const worker of [1, 2]) {
    await using repo = await open(folderOf(main), { worker: true })
    // The reader comes from this thread, the full module from the first worker.
    expect(await repo.countCommits('HEAD')).toBeGreaterThan(1)
    Object.assign(counts, { '/packlens_bg.wasm': 1 })
    expect(requests, `worker ${worker}`).toEqual(counts)
    opened.push(repo.stats().filesOpened)
  }
  // It begins with the full module: what the reader has opened is opened again there.
  const [byBoth = 0, byFull = 0] = opened
  expect(byFull).toBeGreaterThan(0)
  expect(byFull).toBeLessThan(byBoth)
})
