/** Streams of content. */
import { randomBytes } from 'node:crypto'
import { open } from 'packlens'
import { describe, expect, test } from 'vitest'
import { packOf } from './blob-pack.js'
import { codeOf, fixture, folderOf, sha256 } from './support.js'

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return chunks
}

describe.each(['main', 'loose', 'sha256'])('the objects of %s', async (name) => {
  const answers = fixture(name)
  const repo = await open(folderOf(answers))

  test('come in chunks of the requested size', async () => {
    for (const { oid, size, sha256: expected } of answers.objects) {
      const chunks = await collect(repo.stream(oid, { chunkSize: 1000 }))
      expect(chunks.length).toBe(Math.ceil(size / 1000))
      expect(sha256(Buffer.concat(chunks)), oid).toBe(expected)
    }
  })

  test('are read by range', async () => {
    for (const { oid, size } of answers.objects.slice(0, 50)) {
      const whole = (await repo.read(oid)).data
      const range = { start: Math.floor(size / 3), end: Math.floor(size / 2) }
      const chunks = await collect(repo.stream(oid, { chunkSize: 7, range }))
      expect(Buffer.concat(chunks).equals(whole.subarray(range.start, range.end))).toBe(true)
    }
  })
})

describe('a blob larger than memory', () => {
  const content = randomBytes(9 << 20)
  const {
    pack,
    oids: [oid = ''],
  } = packOf(content)
  const openIt = () => open({ packs: [{ pack }] }, { memory: 1 << 20 })

  test('streams within the memory limit', async () => {
    const repo = await openIt()
    expect(await codeOf(() => repo.read(oid))).toBe('LIMIT')
    const chunks = await collect(repo.stream(oid))
    expect(sha256(Buffer.concat(chunks))).toBe(sha256(content))
    expect(chunks.every((chunk) => chunk.byteLength <= 32 << 10)).toBe(true)
    expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(1 << 20)
  })

  test('stops when it is cancelled', async () => {
    const repo = await openIt()
    const before = repo.stats().bytesRead
    const reader = repo.stream(oid).getReader()
    await reader.read()
    await reader.cancel()
    expect(repo.stats().bytesRead - before).toBeLessThan(1 << 20)
  })

  test('stops when its signal is aborted', async () => {
    const repo = await openIt()
    const abort = new AbortController()
    const reader = repo.stream(oid, { signal: abort.signal }).getReader()
    await reader.read()
    abort.abort()
    expect(await codeOf(() => reader.read())).toBe('ABORTED')
  })
})

test('invalid arguments are refused', async () => {
  const repo = await open(folderOf(fixture('tiny')))
  expect(await codeOf(() => repo.stream('HEAD', { chunkSize: 0 }))).toBe('BAD_INPUT')
  expect(await codeOf(() => repo.stream('HEAD', { range: { start: 2, end: 1 } }))).toBe('BAD_INPUT')
  expect(await codeOf(() => collect(repo.stream('no such name')))).toBe('NOT_FOUND')
})
