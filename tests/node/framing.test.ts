/** Reads and writes streams in frames. */
import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { FrameReader, FrameWriter, isPacklensError } from 'packlens'
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

/** Reads a part in pieces of a size. */
function read(bytes: Uint8Array, piece: number) {
  const reader = new FrameReader()
  const data: Uint8Array[] = []
  const interruptions: string[] = []
  let open = ''
  for (let at = 0; at < bytes.length; at += piece) {
    for (const event of reader.read(bytes.subarray(at, at + piece))) {
      if (event.type === 'data') data.push(event.bytes)
      if (event.type === 'interruption') open += Buffer.from(event.bytes).toString('latin1')
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

test('an interruption is between frames, and the part continues after it', () => {
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

test('a flush writes the collected bytes', () => {
  const frames: Uint8Array[] = []
  const writer = new FrameWriter((frame) => frames.push(frame))
  writer.write(Buffer.from('abc'))
  expect(frames).toEqual([])
  writer.flush()
  expect(Buffer.concat(frames).toString('latin1')).toBe('\0\0\0\x03abc')
})

test('a frame is written to memory of the caller, which may be in the middle of a buffer', () => {
  const memory = new Uint8Array(64).fill(0xee)
  const frames: Uint8Array[] = []
  const writer = new FrameWriter((frame) => frames.push(frame), {
    chunkSize: 8,
    allocate: (size) => memory.subarray(16, 16 + size),
  })
  writer.write(Buffer.from('eight ok'))
  expect(Buffer.concat(frames).toString('latin1')).toBe('\0\0\0\x08eight ok')
  expect(memory.subarray(0, 16).every((byte) => byte === 0xee)).toBe(true)
})

test.each(['80000000', 'fffffffe', 'ffffffffffffffff', '7fffffff', '000000', ''])(
  'an impossible length is an error: %s',
  async (hex) => {
    expect(await codeOf(() => read(Buffer.from(hex, 'hex'), 99))).toBe('CORRUPT')
  },
)

test('every truncation is detected', async () => {
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

/** Returns the content of a part by its lengths alone; `undefined` if it is damaged. */
function plainly(bytes: Buffer) {
  const data: Buffer[] = []
  const interruptions: string[] = []
  let inside: Buffer[] | undefined
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length > 0) {
      if (at + length > bytes.length) return undefined
      const frame = bytes.subarray(at, at + length)
      if (inside) inside.push(frame)
      else data.push(frame)
      at += length
    } else if (length === 0) {
      if (!inside) return { data: Buffer.concat(data), interruptions }
      interruptions.push(Buffer.concat(inside).toString('latin1'))
      inside = undefined
    } else {
      if (length !== -1 || inside) return undefined
      inside = []
    }
  }
  return undefined
}

describe('laws', () => {
  const seed = Number(process.env.PACKLENS_PROPERTY_SEED ?? randomInt(2 ** 31))
  const numRuns = 20 * Number(process.env.PACKLENS_PROPERTY_RUNS ?? 60)
  console.log(`framing: PACKLENS_PROPERTY_SEED=${seed}`)
  const length = fc.oneof(fc.integer({ min: -3, max: 12 }), fc.integer())
  const frame = fc.tuple(length, fc.uint8Array({ maxLength: 12 })).map(([length, bytes]) => {
    const head = Buffer.alloc(4)
    head.writeInt32BE(length)
    return Buffer.concat([head, bytes.subarray(0, Math.max(0, length))])
  })

  test('any input is read as its lengths say, or fails as damaged', () => {
    fc.assert(
      fc.property(fc.array(frame), fc.integer({ min: 1, max: 20 }), (frames, piece) => {
        const bytes = Buffer.concat(frames)
        let found: ReturnType<typeof read> | undefined
        try {
          found = read(bytes, piece)
        } catch (error) {
          if (!isPacklensError(error) || error.code !== 'CORRUPT') throw error
        }
        expect(found).toEqual(plainly(bytes))
      }),
      { seed, numRuns },
    )
  })

  test('any writes are read back', () => {
    const call = fc.tuple(
      fc.constantFrom('write', 'interrupt', 'flush'),
      fc.uint8Array({ maxLength: 40 }),
    )
    const sizes = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }))
    fc.assert(
      fc.property(fc.array(call), sizes, (calls, [chunkSize, piece]) => {
        const written = calls.filter(([name]) => name === 'write').map(([, bytes]) => bytes)
        const interrupted = calls.filter(([name]) => name === 'interrupt')
        const bytes = framed(chunkSize, (writer) => {
          for (const [name, bytes] of calls) {
            if (name === 'flush') writer.flush()
            if (name === 'write') writer.write(bytes)
            if (name === 'interrupt') writer.interrupt(bytes)
          }
          writer.end()
        })
        expect(read(bytes, piece)).toEqual({
          data: Buffer.concat(written),
          interruptions: interrupted.map(([, bytes]) => Buffer.from(bytes).toString('latin1')),
        })
      }),
      { seed, numRuns },
    )
  })
})
