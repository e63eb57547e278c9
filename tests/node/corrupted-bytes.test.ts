/**
 * Reads damaged packs and indexes in one instance, one after the other: each read returns the right
 * object or a typed error, and does not affect the next read.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
// Not the module of 'packlens', because that has its own instance.
import { isPacklensError, openSync, type SyncRepository } from '../../dist/index.node.js'
import { currentInstance } from '../../dist/session/modules.js'
import { fixture, gitDirectoryOf, sha256 } from './support.js'

/** The bytes that a damaged pack of a few hundred bytes may cost beyond its size. */
const MOST_MEMORY = 8 << 20

const tiny = readPack('tiny')
const answers = fixture('tiny')
const good = openSync({ packs: [tiny] })

function readPack(name: string): { pack: Uint8Array; idx: Uint8Array } {
  const folder = `${gitDirectoryOf(fixture(name))}/objects/pack`
  const file = (ending: string) => readdirSync(folder).find((name) => name.endsWith(ending))
  const read = (ending: string) => new Uint8Array(readFileSync(`${folder}/${file(ending)}`))
  return { pack: read('.pack'), idx: read('.idx') }
}

function* changes(bytes: Uint8Array): Generator<[Uint8Array, string]> {
  for (let length = 0; length < bytes.length; length++) {
    yield [bytes.subarray(0, length), `cut to ${length}`]
  }
  for (let at = 0; at < bytes.length; at++) {
    for (const mask of [0x01, 0x80, 0xff]) {
      const changed = bytes.slice()
      changed[at] = (changed[at] as number) ^ mask
      yield [changed, `byte ${at} changed by ${mask}`]
    }
  }
}

/** Returns how many objects were right; all others must fail with a typed error. */
function rightObjects(open: () => SyncRepository, what: string): number {
  let repo: SyncRepository
  try {
    repo = open()
  } catch (error) {
    expectTyped(error, what)
    return 0
  }
  let right = 0
  for (const { oid, sha256: expected } of answers.objects) {
    try {
      expect(sha256(repo.read(oid).data), what).toBe(expected)
      right++
    } catch (error) {
      expectTyped(error, what)
    }
  }
  repo.close()
  return right
}

function expectTyped(error: unknown, what: string): void {
  const typed = isPacklensError(error, 'CORRUPT', 'NOT_FOUND', 'UNSUPPORTED', 'LIMIT')
  if (!typed) throw new Error(what, { cause: error })
}

function expectGoodRead(what: string): void {
  for (const { oid, sha256: expected } of answers.objects) {
    expect(sha256(good.read(oid).data), `after ${what}`).toBe(expected)
  }
}

describe('a small repository with every byte changed, and cut at every byte', () => {
  const cases: [string, Uint8Array, (bytes: Uint8Array) => SyncRepository][] = [
    ['its pack', tiny.pack, (pack) => openSync({ packs: [{ pack, idx: tiny.idx }] })],
    ['its index', tiny.idx, (idx) => openSync({ packs: [{ pack: tiny.pack, idx }] })],
    ['its pack, without an index', tiny.pack, (pack) => openSync({ packs: [{ pack }] })],
  ]
  test.each(cases)('%s', (_, original, open) => {
    const { epoch } = currentInstance()
    const memory = currentInstance().memorySize
    let right = 0
    let tried = 0
    for (const [bytes, what] of changes(original)) {
      right += rightObjects(() => open(bytes), what)
      tried++
      expectGoodRead(what)
    }
    expect(tried).toBe(original.length * 4)
    expect(right).toBeLessThan(tried * answers.objects.length)
    expect(currentInstance().epoch, 'the instance never trapped').toBe(epoch)
    expect(currentInstance().memorySize - memory).toBeLessThan(MOST_MEMORY)
  })
})
