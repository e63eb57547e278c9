/** The text of the counters. */
import { catalogue, formatNumber } from './language'

export const work = catalogue('work', {
  title: 'Counters',
  columns: {
    action: 'Action',
    time: 'Time',
    read: 'Read',
    inflated: 'Inflated',
    objects: 'Objects',
  },
  requests: 'Requests',
  received: (requests: number, size: string) => `${formatNumber(requests)}, ${size} received`,
  read: 'Read',
  of: (size: string, total: string) => `${size} of ${total}`,
  blocks: 'Blocks',
  evicted: (read: number, evicted: number) =>
    `${formatNumber(read)}, ${formatNumber(evicted)} evicted`,
  objects: 'Objects',
  bases: 'Bases from the cache',
  forDeltas: (bases: number, deltas: number) =>
    `${formatNumber(bases)} for ${formatNumber(deltas)} deltas`,
  memory: 'Memory at most',
})

export type WorkWords = typeof work
