/** Streams in frames, written and read. */
import { FrameReader, FrameWriter } from 'packlens'
import { describe, expect, test } from 'vitest'
import { codeOf } from './support.js'

function payload(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (at * 7 + Math.floor(at / 251)) & 255)
}

function framed(chunkSize: number, fill: (writer: FrameWriter) => void): Buffer {
  const frames: Uint8Array[] = []
  const writer = new FrameWriter((frame) => frames.push(frame), { chunkSize })
  fill(writer)
  return Buffer.concat(frames)
}

/** Reads a part whose bytes come in pieces of a size. */
function read(bytes: Uint8Array, piece: number) {
  const reader = new FrameReader()
  const data: Uint8Array[] = []
  const interruptions: string[] = []
  let open = ''
  for (let at = 0; at < bytes.length; at += piece) {
    for (const event of reader.read(bytes.subarray(at, at + piece))) {
      if (event.type === 'data') data.push(event.bytes)
      if (event.type === 'interruption') open += Buffer.from(event.bytes).toString()
      if (event.type === 'interruptionEnd') {
        interruptions.push(open)
        open = ''
      }
    }
  }
  reader.finish()
  return { data: Buffer.concat(data), interruptions }
}

describe.each([1, 4, 4096, 32 << 10])('frames of %d bytes', (chunkSize) => {
  test.each([0, 1, 5, 4096, 10_000])('carry %d bytes, split anywhere', (length) => {
    const bytes = payload(length)
    const out = framed(chunkSize, (writer) => {
      for (let at = 0; at < length; at += 999) writer.write(bytes.subarray(at, at + 999))
      writer.end()
    })
    expect(out.length).toBe(length + 4 * (Math.ceil(length / chunkSize) + 1))
    for (const piece of [1, 3, 1000, 1 << 20]) {
      expect(read(out, piece).data.equals(bytes), `by ${piece}`).toBe(true)
    }
  })
})

test('an interruption comes between frames, and the part goes on', () => {
  const out = framed(10, (writer) => {
    writer.write(Buffer.from('before'))
    writer.interrupt(Buffer.from('progress: 50 of 100'))
    writer.write(Buffer.from('after'))
    writer.interrupt(new Uint8Array())
    writer.end()
  })
  for (const piece of [1, 2, 100]) {
    const { data, interruptions } = read(out, piece)
    expect(data.toString()).toBe('beforeafter')
    expect(interruptions).toEqual(['progress: 50 of 100', ''])
  }
})

test('a flush hands over what there is', () => {
  const frames: Uint8Array[] = []
  const writer = new FrameWriter((frame) => frames.push(frame))
  writer.write(Buffer.from('abc'))
  expect(frames).toEqual([])
  writer.flush()
  expect(Buffer.concat(frames).toString('latin1')).toBe('\0\0\0\x03abc')
})

test.each(['80000000', 'fffffffe', 'ffffffffffffffff', '7fffffff', '000000', ''])(
  'lengths that cannot be are errors: %s',
  async (hex) => {
    expect(await codeOf(() => read(Buffer.from(hex, 'hex'), 99))).toBe('CORRUPT')
  },
)

test('every cut is noticed', async () => {
  const out = framed(5, (writer) => {
    writer.write(Buffer.from('twelve bytes'))
    writer.end()
  })
  for (let length = 0; length < out.length; length++) {
    expect(await codeOf(() => read(out.subarray(0, length), 3)), `${length}`).toBe('CORRUPT')
  }
})

test('a frame has a length', async () => {
  for (const chunkSize of [0, -1, 1.5, 2 ** 31]) {
    expect(await codeOf(() => new FrameWriter(() => {}, { chunkSize }))).toBe('BAD_INPUT')
  }
})
