/** The counters, in the order of `Stats::NAMES` in `crate/core/src/stats.rs`. */
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
  'bytesOut',
  'flushes',
  'memoryHighWater',
] as const

export function decodeStats(bytes: Uint8Array<ArrayBuffer>, instanceMemory: number): Stats {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const values = NAMES.map((name, at) => [name, Number(view.getBigUint64(at * 8, true))])
  return { ...(Object.fromEntries(values) as Omit<Stats, 'instanceMemory'>), instanceMemory }
}
