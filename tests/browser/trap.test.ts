/** A trap of the module, in a page and in a worker, with a copy of the package that traps. */
import type * as Packlens from 'packlens'
import { beforeAll, describe, expect, test } from 'vitest'
import { errorOf, fixture, packs, sha256 } from './support.ts'

const main = fixture('main')
const largest = [...main.objects].sort((a, b) => b.size - a.size)[0]

let packlens: typeof Packlens
beforeAll(async () => {
  const entry = '/target/trap/dist/index.js'
  packlens = await import(/* @vite-ignore */ entry)
})

function failure(ask: () => unknown): Promise<Packlens.PacklensError> {
  return errorOf(ask, packlens.isPacklensError)
}

describe.each([false, true])('With `worker: %s`', (worker) => {
  test('the call is INTERNAL, and no other call is affected', async () => {
    const source = await packs(main, (bytes) => new Blob([bytes]))
    await using repo = await packlens.open(source, { worker })
    const reader = repo.stream(largest?.oid ?? '', { chunkSize: 50_000 }).getReader()
    const chunks: Uint8Array<ArrayBuffer>[] = []
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value)
      expect((await failure(() => repo.read('trap!'))).code).toBe('INTERNAL')
      expect((await repo.read('HEAD')).oid).toBe(main.head.oid)
    }
    expect(chunks.length).toBeGreaterThan(5)
    const content = new Uint8Array(await new Blob(chunks).arrayBuffer())
    expect(await sha256(content)).toBe(largest?.sha256)
  })
})
