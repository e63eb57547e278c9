/** In a worker, packs of the private file system are read through access handles. */
import { expect, test } from 'vitest'
import * as scenes from './access-handle-scenes.ts'
import { writeFolder } from './opfs.ts'
import { type Expected, filesOf, fixture } from './support.ts'
import { inWorker } from './worker-page.ts'

type Scene = keyof typeof scenes

const main = fixture('main')
const mainSums = main.objects.map(({ sha256 }) => sha256)
const all = (value: unknown) => [value, value]

async function play(scene: Scene, of: Expected, ...args: unknown[]) {
  const folder = await writeFolder(`handles-${scene}`, await filesOf(of))
  return inWorker({ scene, folder, args: [...(args.length ? [] : [of]), ...args] })
}

test('Bytes of packs are read through handles only, each once, into the memory of the instance', async () => {
  const files = [...(await filesOf(main))].filter(([name]) => name.startsWith('objects/pack/'))
  const size = files.reduce((sum, [, bytes]) => sum + bytes.length, 0)
  const { reads, blocksRead, bytesRead, ...counts } = (await play('counted', main)) as Record<
    string,
    number
  >
  expect(counts).toEqual({ bytes: size, blobs: 0, outside: 0, sums: mainSums })
  expect(reads).toBe(files.length)
  // The other bytes are those of `config`, which opening reads.
  expect(blocksRead).toBe(files.length + 1)
  expect(bytesRead).toBeGreaterThan(size)
})

test('Files that others have locked are still read', async () => {
  const [during, after] = (await play('locked', main)) as unknown[]
  expect(during).toEqual({ sums: mainSums, handles: 0 })
  expect(after).toEqual({ sums: mainSums, handles: 2 })
})

test('Two repositories read the same files through handles, or one if handles lock', async () => {
  const once = { sums: all(mainSums), free: all(true) }
  expect(await play('shared', main, main, false)).toEqual({ ...once, handles: 4 })
  expect(await play('shared', main, main, true)).toEqual({ ...once, handles: 2 })
})

test('Closing closes handles, at any time', async () => {
  expect(await play('closing', main)).toEqual({
    before: all(false),
    after: all(true),
    code: 'CLOSED',
    last: all(true),
  })
})

const growing: [string, (of: Expected, added: Expected) => Promise<unknown>][] = [
  ['a worker', (of, added) => play('growing', of, added)],
  [
    'a page',
    async (of, added) => scenes.growing(await writeFolder('grows', await filesOf(of)), added),
  ],
]

test.each(growing)('In %s, new packs and changed refs are seen', async (_, grow) => {
  const tiny = fixture('tiny')
  expect(await grow(fixture('unborn'), tiny)).toEqual({
    before: all(null),
    names: [tiny.head.oid, tiny.objects[0]?.oid],
    sums: tiny.objects.map(({ sha256 }) => sha256),
  })
})

test.each(['truncate', 'close'])('A damaged file is CHANGED: %s', async (how) => {
  const [code, file] = (await play('spoilt', main, main, how)) as string[]
  expect(code).toBe('CHANGED')
  expect(file).toMatch(/^objects\/pack\/pack\.pack$/)
})
