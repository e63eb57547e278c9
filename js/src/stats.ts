/** The counters, in the order of `Stats::NAMES` in `crate/core/src/stats.rs`. */
import type { Traffic } from './source/store.js'
import type { Stats } from './types.js'

const NAMES = [
  'lookups',
  'objects',
  'blocksRead',
  'bytesRead',
  'blocksEvicted',
  'filesOpened',
  'inflatedBytes',
  'deltasApplied',
  'baseCacheHits',
  'hashedBytes',
  'crcBytes',
  'prefixChecks',
  'refSeeks',
  'tablesOpened',
  'commitsWalked',
  'bytesOut',
  'flushes',
  'memoryHighWater',
] as const

/** What the core counts, and what is known outside of it. */
export function decodeStats(
  bytes: Uint8Array<ArrayBuffer>,
  instanceMemory: number,
  traffic: Traffic | undefined,
): Stats {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const values = NAMES.map((name, at) => [name, Number(view.getBigUint64(at * 8, true))])
  const counted = Object.fromEntries(values) as Record<(typeof NAMES)[number], number>
  const { requests = 0, receivedBytes = 0 } = traffic ?? {}
  return { ...counted, requests, receivedBytes, instanceMemory }
}
