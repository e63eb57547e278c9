/** Decodes the counters of the core, 8 bytes each. */
import { COUNTERS } from '../base/protocol.js'
import type { Stats } from '../base/types.js'
import type { Traffic } from '../source/store.js'

/** The counters of a session that has counted nothing. */
export const NO_COUNTERS = new Uint8Array(COUNTERS.length * 8)

/** Adds the counters of two sessions; of their most memory, the larger counts. */
export function addCounters(
  one: Uint8Array<ArrayBuffer>,
  other: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const [a, b] = [one, other].map(
    ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength),
  ) as [DataView, DataView]
  const sum = new DataView(new ArrayBuffer(one.byteLength))
  for (const [place, name] of COUNTERS.entries()) {
    const [x, y] = [a.getBigUint64(place * 8, true), b.getBigUint64(place * 8, true)]
    const value = name !== 'memoryHighWater' ? x + y : x > y ? x : y
    sum.setBigUint64(place * 8, value, true)
  }
  return new Uint8Array(sum.buffer)
}

/** Returns the counters of the core, and those of memory and traffic, which it does not know. */
export function decodeStats(
  bytes: Uint8Array<ArrayBuffer>,
  instanceMemory: number,
  traffic: Traffic | undefined,
): Stats {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const values = COUNTERS.map((name, at) => [name, Number(view.getBigUint64(at * 8, true))])
  const counted = Object.fromEntries(values) as Record<(typeof COUNTERS)[number], number>
  const { requests = 0, receivedBytes = 0 } = traffic ?? {}
  return { ...counted, requests, receivedBytes, instanceMemory }
}
