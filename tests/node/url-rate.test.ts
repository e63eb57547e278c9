/** The time limit of a request, tested with a fake clock. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Stalled, Watch } from '../../dist/source/url/watch.js'
import { Random } from './servers/random.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

const settings = { timeout: 30_000, minRate: 256 }

/** Bytes, and their delay in milliseconds. */
type Chunk = readonly [after: number, bytes: number]

/** Feeds chunks; returns when and why the request was given up; `null` if it was not. */
async function given(chunks: Iterable<Chunk>, its = settings) {
  const start = performance.now()
  const watch = new Watch(its, undefined)
  let end: { readonly at: number; readonly why: Stalled } | null = null
  const ended = watch.until(new Promise<never>(() => {})).catch((why: Stalled) => {
    end = { at: performance.now() - start, why }
  })
  for (const [after, bytes] of chunks) {
    await vi.advanceTimersByTimeAsync(after)
    if (end) break
    watch.received(bytes)
  }
  watch.over()
  if (end) await ended
  return end as { readonly at: number; readonly why: Stalled } | null
}

function* repeated(chunk: Chunk, times: number): Generator<Chunk> {
  for (let left = times; left > 0; left--) yield chunk
}

describe('A request is given up', () => {
  test('without any bytes, after `timeout`', async () => {
    const end = await given([[60_000, 1]])
    expect(end).toMatchObject({ at: 30_000, why: { silent: true, bytes: 0 } })
  })

  test('if it stops, however fast it was before', async () => {
    const end = await given([
      [10, 4 << 20],
      [60_000, 1],
    ])
    expect(end).toMatchObject({ at: 30_010, why: { silent: true, bytes: 4 << 20 } })
  })

  test('with a byte each 200 ms', async () => {
    const end = await given(repeated([200, 1], 10_000))
    // 5 a second instead of 256: each takes 200 ms and adds 4 ms.
    expect(Math.round(end?.at ?? 0)).toBe(30_593)
    expect(end?.why).toMatchObject({ silent: false, bytes: 152 })
  })
})

describe('A request is not given up', () => {
  test('for a megabyte over a modem that six requests share', async () => {
    expect(await given(repeated([1000, 300], 3500))).toBeNull()
  })

  test('for a pause of almost the whole timeout, followed by the missing bytes', async () => {
    expect(await given(repeated([29_000, 8000], 20))).toBeNull()
  })

  test('at any rate with `minRate` 0, unless nothing arrives', async () => {
    const any = { ...settings, minRate: 0 }
    expect(await given(repeated([29_999, 1], 100), any)).toBeNull()
    expect(await given([[30_001, 1]], any)).toMatchObject({ why: { silent: true } })
  })
})

test.each([1, 2, 3, 4, 5])('No request takes longer than its bytes may: seed %i', async (seed) => {
  const random = new Random(seed)
  for (let round = 0; round < 200; round++) {
    const its = { timeout: 1 + random.below(5000), minRate: 1 + random.below(2000) }
    let bytes = 0
    let after = 0
    const chunks = Array.from({ length: 1 + random.below(60) }, (): Chunk => {
      const chunk = [random.below(2 * its.timeout), random.below(3000)] as const
      after += chunk[0]
      bytes += chunk[1]
      return chunk
    })
    const end = await given(chunks, its)
    // The request has ended by then. A timer has no fractions of milliseconds.
    const most = its.timeout + (bytes / its.minRate) * 1000 + chunks.length
    expect(end?.at ?? after).toBeLessThanOrEqual(most)
    const isFast = chunks.every(
      ([after, bytes]) => after < its.timeout && bytes >= (after * its.minRate) / 1000,
    )
    if (isFast) expect(end).toBeNull()
  }
})
