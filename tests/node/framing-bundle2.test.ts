/** Compares the reader of frames with Mercurial's own: tests/fixtures/bundle. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { FrameReader, FrameWriter } from 'packlens'
import { describe, expect, test } from 'vitest'
import { codeOf, root, sha256 } from './support.js'

const folder = path.join(root, 'tests', 'fixtures', 'bundle')

interface Part {
  readonly type: string
  readonly id: number
  readonly mandatory: boolean
  readonly params: readonly (readonly [key: string, value: string])[]
  readonly size: number
  readonly sha256: string
  readonly interruption?: string
}

interface Facts {
  readonly debugbundle: readonly string[]
  readonly bundles: readonly { file: string; params: Record<string, string>; parts: Part[] }[]
}

const facts = JSON.parse(readFileSync(path.join(folder, 'facts.json'), 'utf8')) as Facts

/** Reads the header of a part, which is not a frame. */
function decodeHeader(header: Buffer): Omit<Part, 'size' | 'sha256'> {
  const typeSize = header.readUInt8(0)
  const type = header.toString('latin1', 1, 1 + typeSize)
  const id = header.readUInt32BE(1 + typeSize)
  const counts = 5 + typeSize
  const count = header.readUInt8(counts) + header.readUInt8(counts + 1)
  let at = counts + 2 + 2 * count
  const next = (size: number) => {
    at += size
    return header.toString('latin1', at - size, at)
  }
  const params = Array.from({ length: count }, (_, which) => {
    const sizes = counts + 2 + 2 * which
    const key = next(header.readUInt8(sizes))
    return [key, next(header.readUInt8(sizes + 1))] as const
  })
  return { type: type.toLowerCase(), id, mandatory: type !== type.toLowerCase(), params }
}

interface Payload {
  readonly bytes: Buffer
  readonly frames: number
  readonly interruptions: Buffer[]
  /** The offset of the next part. */
  readonly end: number
}

/** Reads the payload at an offset, in pieces of `size` bytes. */
function readPayload(bundle: Buffer, offset: number, piece: number): Payload {
  const reader = new FrameReader()
  const data: Uint8Array[] = []
  const interruptions: Buffer[] = []
  let open: Uint8Array[] = []
  for (let at = offset; at < bundle.length; at += piece) {
    for (const event of reader.read(bundle.subarray(at, at + piece))) {
      if (event.type === 'data') data.push(event.bytes)
      if (event.type === 'interruption') open.push(event.bytes)
      if (event.type === 'interruptionEnd') {
        interruptions.push(Buffer.concat(open))
        open = []
      }
      if (event.type !== 'end') continue
      const end = Math.min(at + piece, bundle.length) - event.rest.byteLength
      return { bytes: Buffer.concat(data), frames: data.length, interruptions, end }
    }
  }
  reader.finish()
  throw new Error('unreachable: a reader that has not ended is not finished')
}

describe.each(facts.bundles)('$file', ({ file, params, parts }) => {
  const bundle = readFileSync(path.join(folder, file))

  test('begins as a bundle2', () => {
    expect(bundle.toString('latin1', 0, 4)).toBe('HG20')
    expect(params).toEqual({})
    expect(bundle.readInt32BE(4)).toBe(0)
  })

  test.each([1, 7, 4096, 1 << 20])(
    'has the right parts when read in pieces of %d bytes',
    (piece) => {
      let at = 8
      for (const { interruption, ...part } of parts) {
        const headerSize = bundle.readInt32BE(at)
        const header = decodeHeader(bundle.subarray(at + 4, at + 4 + headerSize))
        const payload = readPayload(bundle, at + 4 + headerSize, piece)
        const { length: size } = payload.bytes
        expect({ ...header, size, sha256: sha256(payload.bytes) }).toEqual(part)
        const messages = payload.interruptions.map(decodeHeader)
        const message = { type: 'error:abort', params: [['message', interruption]] }
        expect(messages).toMatchObject(interruption === undefined ? [] : [message])
        at = payload.end
      }
      // Mercurial stops after a part that failed.
      const failed = parts.some(({ interruption }) => interruption !== undefined)
      const rest = bundle.subarray(at)
      expect(rest.toString('hex')).toBe(failed ? '' : '00000000')
    },
  )
})

test('frames of Mercurial equal ours', () => {
  const plain = readFileSync(path.join(folder, 'plain.hg'))
  const inSmall = readFileSync(path.join(folder, 'frames.hg'))
  // The headers of the first part differ only in the order of their parameters.
  const at = 12 + plain.readInt32BE(8)
  const payload = readPayload(plain, at, 1 << 20).bytes
  for (const [bundle, chunkSize] of [
    [plain, 32 << 10],
    [inSmall, 512],
  ] as const) {
    const frames: Uint8Array[] = []
    const writer = new FrameWriter((frame) => frames.push(frame), { chunkSize })
    writer.write(payload)
    writer.end()
    const written = Buffer.concat(frames)
    expect(bundle.subarray(at, at + written.length).equals(written), `${chunkSize}`).toBe(true)
  }
})

test('every truncation of a payload is detected', async () => {
  const bundle = readFileSync(path.join(folder, 'frames.hg'))
  const at = 12 + bundle.readInt32BE(8)
  const { end } = readPayload(bundle, at, 1 << 20)
  for (let length = at; length < end; length += 97) {
    const code = await codeOf(() => readPayload(bundle.subarray(0, length), at, 4096))
    expect(code, `${length}`).toBe('CORRUPT')
  }
})

test('hg debugbundle lists the same parts', () => {
  const listed = facts.debugbundle.filter((line) => / -- /.test(line))
  const parts = facts.bundles.find(({ file }) => file === 'plain.hg')?.parts ?? []
  expect(listed.length).toBe(3)
  expect(listed.map((line) => line.split(' -- ')[0])).toEqual(parts.map(({ type }) => type))
})
