/** Every object of every fixture in a browser: what git says. */
import { load, open, openSync, type Repository } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeFolder } from './opfs.ts'
import {
  archiveOf,
  codeOf,
  describeObject,
  type Expected,
  filesOf,
  fixtures,
  packed,
  packs,
  wanted,
} from './support.ts'
import type { Bytes } from './untar.ts'

let compared = 0

async function readAll(repo: Repository, { objects }: Expected): Promise<void> {
  for (const object of objects) {
    expect(await describeObject(await repo.read(object.oid))).toEqual(wanted(object))
    compared += 1
  }
  repo.close()
}

beforeAll(() => load())
afterAll(() => {
  expect(compared).toBeGreaterThan(12_000)
})

const makers: [string, (bytes: Bytes) => ArrayBuffer | Uint8Array | Blob][] = [
  ['ArrayBuffers', (bytes) => bytes.slice().buffer],
  ['Blobs', (bytes) => new Blob([bytes])],
]

describe.each(packed)('Every object of $name is what git says', (of) => {
  test.each(makers)('from %s', async (_, make) => {
    await readAll(await open(await packs(of, make)), of)
  })

  test.each(makers)('from %s without an index', async (_, make) => {
    await readAll(await open(await packs(of, make, { idx: false })), of)
  })

  test('without promises', async () => {
    using repo = openSync(await packs(of, (bytes) => bytes))
    for (const object of of.objects) {
      expect(await describeObject(repo.readSync(object.oid))).toEqual(wanted(object))
    }
    const oid = of.objects[0]?.oid ?? ''
    using later = openSync(await packs(of, (bytes) => new Blob([bytes])))
    expect(await codeOf(() => later.readSync(oid))).toBe('BAD_INPUT')
  })
})

/** Those whose git directory is in their folder: not so if `.git` is a file. */
const inside = fixtures.filter(({ name }) => !/^worktree-/.test(name))

describe.each(inside)('Every object of $name is what git says', (of) => {
  test('from a folder of the private file system', async () => {
    await readAll(await open(await writeFolder(`oracle-${of.name}`, await filesOf(of))), of)
  })

  test('from a list of files', async () => {
    const files = [...(await filesOf(of))].map(([name, bytes]) => {
      const file = new File([bytes], name.split('/').at(-1) ?? '')
      return Object.defineProperty(file, 'webkitRelativePath', { value: `picked/${name}` })
    })
    await readAll(await open(files), of)
  })
})

test('A .git file leads to its folder if that is inside, and is explained if not', async () => {
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
  await readAll(await open(folder), of)
})
