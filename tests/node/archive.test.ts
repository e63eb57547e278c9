/** Archives are those of git: tests/fixtures/tree-archives.mjs. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { crc32, deflateSync, gunzipSync, inflateRawSync } from 'node:zlib'
import type { ArchiveOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { archivedTrees, QUESTIONS, zipRows } from '../fixtures/archived-trees.mjs'
import { looseObjects } from './sources.ts'
import { collect, errorOf, root } from './support.ts'

const file = path.join(root, 'tests', 'fixtures', 'tree-archives.json')
const recorded = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly answers: readonly (readonly [tar: string, zip: string])[]
}
const { objects, specs } = archivedTrees()
const { store } = looseObjects(objects)
const sha1 = (bytes: string | Uint8Array) => createHash('sha1').update(bytes).digest('hex')

function archived(spec: string, options: ArchiveOptions): Buffer {
  using repo = openSync(store)
  return Buffer.concat([...repo.archive(spec, options)])
}

describe.each(QUESTIONS.map((question, at) => [at, ...question] as const))(
  'question %i',
  (at, number, asked) => {
    const [spec = '', answers] = [specs[number], recorded.answers[at]]

    test('the tar file has the bytes of git archive', () => {
      expect(sha1(archived(spec, asked))).toBe(answers?.[0])
    })

    test('the zip file has the entries of git archive', () => {
      const { rows, comment } = zipRows(archived(spec, { ...asked, format: 'zip' }))
      const facts = rows.map(({ data: _, ...row }) => row)
      expect(sha1(JSON.stringify([facts, comment]))).toBe(answers?.[1])
      for (const { data, crc, size } of rows) {
        const content = data.method === 8 ? inflateRawSync(data.bytes) : data.bytes
        expect([content.length, crc32(content)]).toEqual([size, crc])
      }
    })
  },
)

test('both classes make the same archive, in pages', async () => {
  const spec = specs[0] ?? ''
  using repo = await open(store)
  const pages = await collect(repo.archive(spec))
  expect(pages.length).toBeGreaterThan(1)
  expect(Buffer.concat(pages).equals(archived(spec, {}))).toBe(true)
})

/** A repository with one commit of some files. */
function committed(files: Readonly<Record<string, Buffer>>) {
  const all: [type: 'blob' | 'tree' | 'commit', content: Buffer][] = []
  const write = (type: 'blob' | 'tree' | 'commit', content: Buffer) => {
    all.push([type, content])
    return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
  }
  const rows = Object.entries(files).map(([name, content]) =>
    Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(write('blob', content), 'hex')]),
  )
  const tree = write('tree', Buffer.concat(rows))
  const spec = write(
    'commit',
    Buffer.from(`tree ${tree}\nauthor a <b> 1 +0000\ncommitter a <b> 1 +0000\n\n`),
  )
  return { store: looseObjects(all).store, spec }
}

/** Content that cannot be deflated. */
function noise(length: number): Buffer {
  let state = Buffer.from('seed')
  const parts: Buffer[] = []
  for (let made = 0; made < length; made += state.length) {
    state = createHash('sha512').update(state).digest()
    parts.push(state)
  }
  return Buffer.concat(parts).subarray(0, length)
}

test('a large file is streamed: memory does not depend on its size', () => {
  const large = noise(24 << 20)
  const { store, spec } = committed({ large })
  using repo = openSync(store, { memory: 16 << 20 })
  const tar = Buffer.concat([...repo.archive(spec)])
  const start = tar.indexOf(large.subarray(0, 64))
  expect(tar.subarray(start, start + large.length).equals(large)).toBe(true)
  const { rows } = zipRows(Buffer.concat([...repo.archive(spec, { format: 'zip' })]))
  const [row] = rows
  expect(row && inflateRawSync(row.data.bytes).equals(large)).toBe(true)
  expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(16 << 20)
})

describe('what git would convert in another way is refused', () => {
  test.each([
    ['*.x working-tree-encoding=UTF-16', 'text', 'UTF-16'],
    ['*.x export-subst', '$Format:%(trailers)$', '%('],
    ['*.x export-subst', '$Format:%(describe:none=1)$', '%('],
    ['*.x export-subst', '$Format:%aN$', '%aN'],
  ])('%s', async (attributes, content, subject) => {
    const files = { '.gitattributes': Buffer.from(attributes), 'a.x': Buffer.from(content) }
    const { store, spec } = committed(files)
    using repo = openSync(store)
    const error = await errorOf(() => [...repo.archive(spec)])
    expect(error).toMatchObject({ code: 'UNSUPPORTED', subject })
  })
})

test('a path that the tree does not have is an error, before any byte', async () => {
  using repo = openSync(store)
  const rows = repo.archive(specs[0] ?? '', { paths: ['README', 'nothing/here'] })
  const error = await errorOf(() => rows.next())
  expect(error).toMatchObject({ code: 'NOT_FOUND', subject: 'nothing/here' })
})

test('a tar.gz file is the tar file, compressed', () => {
  const { store, spec } = committed({
    large: noise(3 << 20),
    text: Buffer.from('some '.repeat(9999)),
  })
  using repo = openSync(store)
  const made = (options: ArchiveOptions) => Buffer.concat([...repo.archive(spec, options)])
  const tar = made({})
  const lengths = [0, 1, 9].map((level) => {
    const compressed = made({ format: 'tar.gz', level })
    expect(gunzipSync(compressed).equals(tar)).toBe(true)
    return compressed.length
  })
  expect(gunzipSync(made({ format: 'tar.gz' })).equals(tar)).toBe(true)
  expect(lengths).toEqual([...lengths].sort((one, other) => other - one))
})

test('a pathspec selects and excludes; an element that selects nothing is an error', async () => {
  const { store, spec } = committed({ a: Buffer.from('a'), b: Buffer.from('b') })
  using repo = openSync(store)
  const names = (options: ArchiveOptions) => {
    const bytes = Buffer.concat([...repo.archive(spec, { ...options, format: 'zip' })])
    return zipRows(bytes).rows.map(({ name }) => name)
  }
  expect(names({ pathspec: ':!a' })).toEqual(['b'])
  expect(names({ pathspec: '*', paths: 'a' })).toEqual(['a', 'b'])
  const error = await errorOf(() => [...repo.archive(spec, { pathspec: ['b', 'c*'] })])
  expect(error).toMatchObject({ code: 'NOT_FOUND', subject: 'c*' })
})

test('an aborted archive fails', async () => {
  using repo = await open(store)
  const controller = new AbortController()
  const rows = repo.archive(specs[0] ?? '', { signal: controller.signal })
  await rows.next()
  controller.abort()
  expect(await errorOf(() => rows.next())).toMatchObject({ code: 'ABORTED' })
})

test('zlib is what the deflated data is measured by', () => {
  const { store, spec } = committed({ text: Buffer.from('some text '.repeat(5000)) })
  using repo = openSync(store)
  const { rows } = zipRows(Buffer.concat([...repo.archive(spec, { format: 'zip' })]))
  const most = deflateSync(Buffer.from('some text '.repeat(5000))).length
  expect(rows[0]?.data.bytes.length).toBeLessThanOrEqual(most + 16)
})
