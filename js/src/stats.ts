/** Decodes the counters of the core, 8 bytes each. */
import { COUNTERS } from './protocol.js'
import type { Traffic } from './source/store.js'
import type { Stats } from './types.js'

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
