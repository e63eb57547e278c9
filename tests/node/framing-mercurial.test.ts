/** Compares the reader and the writer of frames with Mercurial's own: `tests/fixtures/bundle`. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { FrameReader, FrameWriter } from 'packlens'
import { describe, expect, test } from 'vitest'

interface PartFacts {
  readonly type: string
  readonly id: number
  readonly mandatory: boolean
  readonly params: string[][]
  readonly size: number
  readonly sha256: string
  readonly interruption?: string
}

const folder = new URL('../fixtures/bundle/', import.meta.url)
const bundle = (name: string) => readFileSync(new URL(name, folder))
const facts: { bundles: { file: string; parts: PartFacts[] }[] } = JSON.parse(
  `${bundle('facts.json')}`,
)

/** Returns the type of a part, its id, and its parameters, concatenated. */
function headerOf(bytes: Buffer) {
  const typeLength = bytes.readUInt8(0)
  const rest = bytes.subarray(1 + typeLength)
  const count = rest.readUInt8(4) + rest.readUInt8(5)
  return {
    type: bytes.toString('latin1', 1, 1 + typeLength),
    id: rest.readUInt32BE(0),
    params: rest.toString('latin1', 6 + 2 * count),
  }
}

/** Reads the payload at the beginning of `bytes`, in pieces of a size. */
function payload(bytes: Buffer, piece: number) {
  const reader = new FrameReader()
  const data: Uint8Array[] = []
  const interruptions: Buffer[] = []
  let open: Uint8Array[] = []
  let length = 0
  while (!reader.ended && length < bytes.length) {
    const given = bytes.subarray(length, length + piece)
    length += given.length
    for (const event of reader.read(given)) {
      if (event.type === 'data') data.push(event.bytes)
      if (event.type === 'interruption') open.push(event.bytes)
      if (event.type === 'interruptionEnd') {
        interruptions.push(Buffer.concat(open))
        open = []
      }
      if (event.type === 'end') length -= event.rest.length
    }
  }
  reader.finish()
  return { data: Buffer.concat(data), interruptions, length }
}

const pieces = [1, 7, 4096, 1 << 20]
const cases = facts.bundles.flatMap(({ file, parts }) =>
  pieces.map((piece) => ({ file, parts, piece })),
)

test.each(cases)(
  '$file in pieces of $piece bytes: the parts that Mercurial finds',
  ({ file, parts, piece }) => {
    const bytes = bundle(file)
    expect(bytes.toString('latin1', 0, 8)).toBe('HG20\0\0\0\0')
    let rest = bytes.subarray(8)
    for (const part of parts) {
      const headerEnd = 4 + rest.readUInt32BE(0)
      const { type, id, params } = headerOf(rest.subarray(4, headerEnd))
      expect(type.toLowerCase()).toBe(part.type)
      expect(type !== type.toLowerCase()).toBe(part.mandatory)
      expect(id).toBe(part.id)
      expect(params).toBe(part.params.flat().join(''))

      const { data, interruptions, length } = payload(rest.subarray(headerEnd), piece)
      expect(data.length).toBe(part.size)
      expect(createHash('sha256').update(data).digest('hex')).toBe(part.sha256)
      const messages = interruptions.map((interruption) => headerOf(interruption).params)
      expect(messages).toEqual(
        part.interruption === undefined ? [] : [`message${part.interruption}`],
      )
      rest = rest.subarray(headerEnd + length)
    }
    // Mercurial stops after a part that failed.
    expect(rest).toEqual(file === 'interrupted.hg' ? Buffer.alloc(0) : Buffer.alloc(4))
  },
)

describe('frames of Mercurial equal ours', () => {
  test.each([
    ['plain.hg', 32 << 10],
    ['frames.hg', 512],
  ])('%s, %d bytes', (file, chunkSize) => {
    const bytes = bundle(file)
    const frames = bytes.subarray(12 + bytes.readUInt32BE(8))
    const { data, length } = payload(frames, 1 << 20)
    const written: Uint8Array[] = []
    const writer = new FrameWriter((frame) => written.push(frame), { chunkSize })
    writer.write(data)
    writer.end()
    expect(Buffer.concat(written).equals(frames.subarray(0, length))).toBe(true)
  })
})
