/** Objects, and how they are stored. */
import type { BatchOptions, ObjectRow } from 'packlens'
import { codeOf, collect } from '../asking.ts'
import type { Expected } from '../expected.ts'
import type { Question } from '../question.ts'
import { contents, described, describeObject, joined, readAll, sha256 } from './reading.ts'

export const content: Question = {
  name: 'every object, with its content',
  async ask({ open }, of) {
    await using repo = await open()
    return await readAll(repo, of)
  },
  expected: contents,
}

export const withoutPromises: Question = {
  name: 'every object synchronously, or that it needs promises',
  async ask({ openSync }, of) {
    const read = () => {
      using repo = openSync()
      return of.objects.map(({ oid }) => repo.read(oid))
    }
    try {
      const found = read().map(describeObject)
      return await Promise.all(found)
    } catch (error) {
      return codeOf(() => Promise.reject(error))
    }
  },
  expected: (of, kind) => (kind.promises === 'never' ? contents(of, kind) : 'BAD_INPUT'),
}

export const littleMemory: Question = {
  name: 'every object, concurrently and in little memory',
  async ask({ open }, of) {
    await using repo = await open({ memory: 5 << 19 })
    const found = await Promise.all(of.objects.map(({ oid }) => described(repo, oid)))
    return { found, within: repo.stats().memoryHighWater <= 2 << 20 }
  },
  expected: (of, kind) => ({ found: contents(of, kind), within: true }),
}

export const info: Question = {
  name: 'the storage of every object',
  async ask({ open }, of) {
    await using repo = await open()
    const found = []
    for (const { oid, disk, deltabase } of of.objects) {
      const { type, size, diskSize, deltaBase } = await repo.info(oid)
      const base = deltaBase ?? '0'.repeat(oid.length)
      found.push({
        type,
        size,
        disk: disk === null ? null : diskSize,
        base: deltabase === null ? null : base,
      })
    }
    return found
  },
  expected: ({ objects }) =>
    objects.map(({ type, size, disk, deltabase }) => ({ type, size, disk, base: deltabase })),
}

export const batches: Question = {
  name: 'every object, in batches',
  async ask({ open }, of) {
    await using repo = await open()
    const specs = [...of.objects.map(({ oid }) => oid), 'no such thing']
    const pieces = specs.map((): Uint8Array[] => [])
    const types: string[] = []
    for (let start: BatchOptions['start'] | null; start !== null; ) {
      const batch = await repo.readMany(specs, { start, size: 50_000 })
      for (const row of batch) {
        types[row.index] = row.type
        if ('data' in row) pieces[row.index]?.push(row.data)
      }
      start = batch.next
    }
    const sums = pieces.map((list) => sha256(joined(list)))
    return { types, sums: (await Promise.all(sums)).slice(0, -1) }
  },
  expected: ({ objects }) => ({
    types: [...objects.map(({ type }) => type), 'missing'],
    sums: objects.map((object) => object.sha256),
  }),
}

export const listing: Question = {
  name: 'the list of all objects',
  async ask({ open }) {
    await using repo = await open()
    const ids = (rows: { type: string }[]) => rows.map((row) => (row as ObjectRow).oid)
    const sorted = ids(await collect(repo.objects({ fields: 'info' })))
    const stored = ids(await collect(repo.objects({ fields: 'info', unordered: true })))
    return [sorted, stored.sort()]
  },
  expected({ objects }) {
    const ids = objects.map(({ oid }) => oid)
    return [ids, ids]
  },
}

export const streams: Question = {
  name: 'streams, whole and in ranges',
  async ask({ open }, of) {
    await using repo = await open()
    const found = []
    for (const { oid, size } of largest(of)) {
      const middle = size >> 1
      const chunks = async (range?: { start?: number; end?: number }) =>
        collect(repo.stream(oid, { chunkSize: 1000, range }))
      const whole = await chunks()
      const halves = [...(await chunks({ end: middle })), ...(await chunks({ start: middle }))]
      found.push({
        longest: Math.max(0, ...whole.map(({ length }) => length)),
        whole: await sha256(joined(whole)),
        halves: await sha256(joined(halves)),
      })
    }
    return found
  },
  expected: (of) =>
    largest(of).map(({ size, sha256 }) => ({
      longest: Math.min(size, 1000),
      whole: sha256,
      halves: sha256,
    })),
}

function largest({ objects }: Expected) {
  return [...objects].sort((a, b) => b.size - a.size).slice(0, 12)
}
