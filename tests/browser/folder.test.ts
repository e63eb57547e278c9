/** Folders of the private file system: their forms, and changes in them. */
import type { BatchOptions, Repository } from 'packlens'
import { open } from 'packlens'
import { expect, test } from 'vitest'
import { writeFile, writeFolder } from './opfs.ts'
import {
  archiveOf,
  codeOf,
  collect,
  type Expected,
  errorOf,
  filesOf,
  fixture,
  fixtures,
  sha256,
} from './support.ts'
import type { Bytes } from './untar.ts'

async function openFolder(of: Expected): Promise<Repository> {
  return open(await writeFolder(`names-${of.name}`, await filesOf(of)))
}

test('Refs that are added to an open folder are seen', async () => {
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

test('Many concurrent reads from a folder are right', async () => {
  const of = fixture('mixed')
  const folder = await writeFolder('parallel', await filesOf(of))
  await using repo = await open(folder, { memory: 5 << 19 })
  const found = await Promise.all(
    of.objects.map(async ({ oid }) => sha256((await repo.read(oid)).data)),
  )
  expect(found).toEqual(of.objects.map((object) => object.sha256))
})

test('A .git file leads to its folder if that is inside; otherwise the error explains it', async () => {
  const of = fixtures.find(({ name }) => name === 'worktree-separate') as Expected
  const all = await archiveOf(of)
  const outside = await writeFolder('outside', await filesOf(of))
  expect(await codeOf(() => open(outside))).toBe('NOT_FOUND')
  const inner = [...all].filter(([name]) => name.startsWith('worktree/separate.git/'))
  const moved = inner.map(([name, bytes]): [string, Bytes] => [
    name.slice('worktree/'.length),
    bytes,
  ])
  const dotGit = new TextEncoder().encode('gitdir: ./separate.git\n')
  const folder = await writeFolder('separate', new Map([...moved, ['.git', dotGit]]))
  await using repo = await open(folder)
  expect((await collect(repo.objects())).length).toBe(of.objects.length)
  expect((await repo.read('HEAD')).oid).toBe(of.head.oid)
})

test('A file of the private file system that was rewritten since it was given is CHANGED', async () => {
  const of = fixture('main')
  const folder = await writeFolder('rewritten', await filesOf(of))
  const objects = await folder.getDirectoryHandle('objects')
  const packs = await objects.getDirectoryHandle('pack')
  const files = new Map<string, File>()
  for await (const [name, handle] of packs.entries()) {
    files.set(name.replace(/.*\./, ''), await (handle as FileSystemFileHandle).getFile())
  }
  const [pack, idx] = [files.get('pack') as File, files.get('idx') as File]
  await using repo = await open({ packs: [{ pack, idx }] }, { memory: 1 << 20 })
  expect((await repo.read(of.objects[0]?.oid ?? '')).type).toBe(of.objects[0]?.type)
  await writeFile(folder, `objects/pack/${pack.name}`, new Uint8Array(pack.size))
  const error = await errorOf(async () => {
    for (const { oid } of of.objects) await repo.read(oid)
  })
  expect([error.code, (error.cause as Error).name]).toEqual(['CHANGED', 'NotReadableError'])
})
