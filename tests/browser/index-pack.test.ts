/** Indexing and verifying packs in a page. */
import type { ByteSource } from 'packlens'
import { checkPack, indexPack } from 'packlens'
import { describe, expect, test } from 'vitest'
import { codeOf, fixture, packs } from './support.ts'

const of = fixture('main')

async function filesOf(): Promise<{ pack: Uint8Array; idx: Uint8Array }> {
  const source = await packs(of, (bytes) => bytes)
  const [first] = source.packs
  if (!first?.idx) throw new Error('main has a pack with an index')
  return { pack: first.pack as Uint8Array, idx: first.idx as Uint8Array }
}

describe.each([false, true])('In a worker: %s', (worker) => {
  test('the index of a pack equals git’s, whatever form the pack is given in', async () => {
    const { pack, idx } = await filesOf()
    const forms: ByteSource[] = [pack, new Blob([new Uint8Array(pack)])]
    for (const form of forms) {
      const made = await indexPack(form, { worker })
      expect(made.idx).toEqual(new Uint8Array(idx))
      expect(made.objects).toBe(await checkPack(form, idx, { worker }).then((it) => it.objects))
    }
  })

  test('a pack may come as the body of a response', async () => {
    const { pack, idx } = await filesOf()
    const url = URL.createObjectURL(new Blob([new Uint8Array(pack)]))
    const { body } = await fetch(url)
    if (!body) throw new Error('there is no body')
    const made = await indexPack(body, { worker })
    expect(made.idx).toEqual(new Uint8Array(idx))
    const pieces = await new Blob([...(made.pack ?? [])]).arrayBuffer()
    expect(new Uint8Array(pieces)).toEqual(new Uint8Array(pack))
  })

  test('damage is an error', async () => {
    const { pack, idx } = await filesOf()
    const damaged = new Uint8Array(pack)
    damaged[1000] = (damaged[1000] ?? 0) ^ 4
    expect(await codeOf(() => checkPack(damaged, idx, { worker }))).toBe('CORRUPT')
  })
})
