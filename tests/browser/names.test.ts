/** Revisions, refs and trees from a folder of the private file system: what git says. */
import type { BatchOptions, Repository } from 'packlens'
import { isPacklensError, open } from 'packlens'
import { describe, expect, test } from 'vitest'
import { writeFile, writeFolder } from './opfs.ts'
import { codeOf, collect, type Expected, filesOf, fixture, sha256 } from './support.ts'

async function openFolder(of: Expected): Promise<Repository> {
  return open(await writeFolder(`names-${of.name}`, await filesOf(of)))
}

const chosen = ['main', 'mixed', 'loose', 'sha256', 'sha256-loose', 'unborn', 'empty'].map(fixture)

describe.each(chosen)('From a folder, $name', (of) => {
  test('has names, refs and trees as git has them', async () => {
    await using repo = await openFolder(of)
    // A look into a folder takes a millisecond, and a name takes several: some names, at once.
    const specs = Object.entries(of.resolve).filter((_, at) => at % 3 === 0)
    const resolve = async ([spec]: [string, unknown]) => {
      try {
        return [spec, await repo.resolve(spec)]
      } catch (error) {
        if (isPacklensError(error)) return [spec, null]
        throw error
      }
    }
    expect(await Promise.all(specs.map(resolve))).toEqual(specs)
    const refs = await collect(repo.refs.list({ peel: true }))
    expect(refs.map(({ name, oid, peeled }) => ({ name, oid, peeled }))).toEqual(
      of.refs.map(({ name, oid, peeled }) => ({ name, oid, peeled })),
    )
    expect((await repo.refs.get('HEAD'))?.oid ?? null).toBe(of.head.oid)
    expect((await repo.refs.get('HEAD'))?.target ?? null).toBe(of.head.symref)
    for (const [spec, { recursive }] of Object.entries(of.lsTree)) {
      if (recursive === undefined) continue
      const entries = await collect(repo.walk(spec, { recursive: true, sizes: true }))
      const lines = latin1(atob(recursive)).split('\0').slice(0, -1)
      const found = entries.map(
        ({ type, oid, size, path }) => `${type} ${oid} ${size ?? '-'}\t${path}`,
      )
      expect(found).toEqual(lines.map((line) => line.replace(/^\d+ (\w+ \w+) +/, '$1 ')))
    }
    const rows = await collect(repo.objects({ fields: 'info' }))
    expect(rows.map((row) => 'oid' in row && row.oid)).toEqual(of.objects.map(({ oid }) => oid))
  })
})

/** The text whose UTF-8 bytes are the characters of `binary`. */
function latin1(binary: string): string {
  return new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)))
}

test('Refs that a folder gets while it is open are seen', async () => {
  const of = fixture('loose')
  const folder = await writeFolder('live', await filesOf(of))
  await using repo = await open(folder)
  expect(await codeOf(() => repo.resolve('fresh'))).toBe('NOT_FOUND')
  for (const spec of ['main~1', 'main~2']) {
    const oid = of.resolve[spec] ?? ''
    await writeFile(folder, 'refs/heads/fresh', new TextEncoder().encode(`${oid}\n`))
    expect(await repo.resolve('fresh')).toBe(oid)
  }
})

test('A batch is transferred to a worker, which sees the same bytes', async () => {
  const of = fixture('sha256')
  await using repo = await openFolder(of)
  const source = `onmessage = async ({ data: { buffer, places } }) => {
    const sums = places.map(async ([at, length]) => {
      const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(buffer, at, length))
      return Array.from(new Uint8Array(digest), (b) => b.toString(16).padStart(2, '0')).join('')
    })
    postMessage(await Promise.all(sums))
  }`
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(url)
  const sums: string[] = []
  for (let start: BatchOptions['start'] | null; start !== null; ) {
    const batch = await repo.readMany(
      of.objects.map(({ oid }) => oid),
      { start, size: 100_000 },
    )
    const places = [...batch].map((row) => {
      if (!('data' in row) || row.more) throw new Error(row.type)
      return [row.data.byteOffset, row.data.byteLength]
    })
    const answer = new Promise<string[]>((resolve) => {
      worker.onmessage = ({ data }) => resolve(data)
    })
    worker.postMessage({ buffer: batch.buffer, places }, [batch.buffer])
    expect(batch.buffer.byteLength).toBe(0)
    sums.push(...(await answer))
    start = batch.next
  }
  worker.terminate()
  URL.revokeObjectURL(url)
  expect(sums).toEqual(of.objects.map((object) => object.sha256))
})

test('Many reads at the same time from a folder are right', async () => {
  const of = fixture('mixed')
  const folder = await writeFolder('parallel', await filesOf(of))
  await using repo = await open(folder, { memory: 1 << 20 })
  const found = await Promise.all(
    of.objects.map(async ({ oid }) => sha256((await repo.read(oid)).data)),
  )
  expect(found).toEqual(of.objects.map((object) => object.sha256))
})
