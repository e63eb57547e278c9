/** Faults of replies, and when they occur. */
import { gzipSync } from 'node:zlib'
import type { ErrorCode, OpenOptions } from 'packlens'
import type { Asked, Fault, Reply } from './faulty.ts'
import { contentRange } from './faulty.ts'
import type { Random } from './random.ts'
import type { Scene } from './scene.ts'
import { INDEX, PACK } from './scene.ts'

/** The input of a run of a scenario. */
export interface Circumstances {
  readonly random: Random
  /** Another version of all files, with other bytes at the same offsets. */
  readonly other: Scene
}

export interface Scenario {
  readonly name: string
  readonly fault: (circumstances: Circumstances) => Fault
  /** The allowed errors; at least one must occur. Empty: all answers must be right. */
  readonly codes: readonly ErrorCode[]
  /** The required `status` of errors. */
  readonly status?: number
  /** False if with some seeds all answers may be right. */
  readonly must?: false
  readonly options?: OpenOptions
  /** The number of requests, if it is known. */
  readonly requests?: number
  /** The number of requests that `fetch` makes of one, if it follows redirects. */
  readonly steps?: number
}

/** Allows no errors. */
export const RIGHT: readonly ErrorCode[] = []

export type Which = (asked: Asked) => boolean
export type Change = (reply: Reply, asked: Asked, random: Random) => void

export const isPack: Which = ({ path }) => path === PACK
export const isIndex: Which = ({ path }) => path === INDEX
export const isRanged: Which = ({ ranges }) => ranges.length > 0
export const isSeveral: Which = ({ ranges }) => ranges.length > 1
export const isText: Which = ({ ranges }) => ranges.length === 0
export const isAny: Which = () => true
export const isLater: Which = ({ path, ranges }) => path === PACK && (ranges[0]?.[0] ?? 0) > 0

/** The first reply to each request is bad, the next is good. */
export function once(which: Which, change: Change): Scenario['fault'] {
  return ({ random }) => {
    return (reply, asked) => {
      if (asked.times === 0 && which(asked)) change(reply, asked, random)
    }
  }
}

export function always(which: Which, change: Change): Scenario['fault'] {
  return ({ random }) => {
    return (reply, asked) => {
      if (which(asked)) change(reply, asked, random)
    }
  }
}

/** Replies are good at first, and bad from some request on. */
export function fromSomeOn(which: Which, change: Change): Scenario['fault'] {
  return ({ random }) => {
    let left = 1 + random.below(4)
    return (reply, asked) => {
      if (which(asked) && left-- <= 0) change(reply, asked, random)
    }
  }
}

export const status =
  (code: number, headers: Record<string, string> = {}): Change =>
  (reply) => {
    reply.status = code
    reply.headers = { ...headers }
    reply.body = Buffer.from(code === 204 || code === 304 ? '' : `${code}`)
  }

/** Sends a page for a missing file. */
export const page: Change = (reply) => {
  if (reply.status === 404) sendPage(reply)
}

export const pageForAll: Change = (reply) => sendPage(reply)

function sendPage(reply: Reply): void {
  reply.status = 200
  reply.headers = { 'Content-Type': 'text/html' }
  reply.body = Buffer.from('<!DOCTYPE html><title>Welcome</title>\n')
}

/** Sends the whole file instead of the range. */
export const whole =
  (files: () => Scene, headers: Record<string, string> = {}): Change =>
  (reply, { path }) => {
    const file = files().files.get(path)
    if (!file || reply.status !== 206) return
    reply.status = 200
    delete reply.headers['Content-Range']
    delete reply.headers['Content-Type']
    Object.assign(reply.headers, headers)
    reply.body = file.bytes
  }

export const cut: Change = (reply, _, random) => {
  reply.cutAt = random.below(Math.max(1, reply.body.length))
}

export const stall: Change = (reply, _, random) => {
  reply.stallAt = random.below(Math.max(1, reply.body.length))
}

/** Sends a byte at a time, so that the reply takes longer than the timeout. */
export const drip: Change = (reply) => {
  reply.drip = 1
}

export const silence: Change = (reply) => {
  reply.stallAt = -1
}

export const chunked: Change = (reply) => {
  reply.headers['Transfer-Encoding'] = 'chunked'
}

/** Sends shifted bytes; `headers` has the range that is sent, or the expected one. */
export const shiftedBytes =
  (scene: () => Scene, headers: 'sent' | 'expected'): Change =>
  (reply, { path, ranges }, random) => {
    const file = scene().files.get(path)
    const [start, end] = ranges[0] ?? [0, 0]
    const by = 1 + random.below(100)
    if (!file || ranges.length !== 1 || end + by > file.bytes.length) return
    reply.body = file.bytes.subarray(start + by, end + by)
    const place = [start + by, end + by] as const
    if (headers === 'sent') reply.headers['Content-Range'] = contentRange(place, file.bytes.length)
  }

export const resized =
  (scene: () => Scene, by: (random: Random) => number): Change =>
  (reply, { path, ranges }, random) => {
    const file = scene().files.get(path)
    const [start, end] = ranges[0] ?? [0, 0]
    const other = Math.min(end + by(random), file?.bytes.length ?? 0)
    if (!file || ranges.length !== 1 || other <= start || other === end) return
    reply.body = file.bytes.subarray(start, other)
    reply.headers['Content-Range'] = contentRange([start, other], file.bytes.length)
  }

export const header =
  (name: string, value: string | null): Change =>
  (reply) => {
    if (value === null) delete reply.headers[name]
    else reply.headers[name] = value
  }

export const total =
  (change: (size: number) => string): Change =>
  (reply) => {
    const found = /^(.*\/)(\d+)$/.exec(reply.headers['Content-Range'] ?? '')
    if (found) reply.headers['Content-Range'] = found[1] + change(Number(found[2]))
  }

/** Sends the range of each part, but not the size of the file. */
export const unsized: Change = (reply) => {
  const place = reply.headers['Content-Range']
  if (place) reply.headers['Content-Range'] = place.replace(/\/\d+$/, '/*')
  reply.body = Buffer.from(
    reply.body.toString('latin1').replace(/^(Content-Range: .*\/)\d+\r$/gm, '$1*\r'),
    'latin1',
  )
}

/** Sends more or fewer bytes than announced, and ends without an error. */
export const miscounted =
  (by: number): Change =>
  (reply) => {
    reply.headers['Transfer-Encoding'] = 'chunked'
    const { body } = reply
    reply.body = by > 0 ? Buffer.concat([body, Buffer.alloc(by)]) : body.subarray(0, by)
  }

export const edited =
  (edit: (body: string) => string): Change =>
  (reply) => {
    reply.body = Buffer.from(edit(reply.body.toString('latin1')), 'latin1')
  }

/** Sends the same range of the other version of the file. */
export const otherVersion =
  ({ other }: Circumstances, changes: (headers: Record<string, string>) => void): Change =>
  (reply, { path, ranges }) => {
    const file = other.files.get(path)
    if (!file || reply.status !== 206 || ranges.length !== 1) return
    reply.body = file.bytes.subarray(...(ranges[0] as [number, number]))
    changes(reply.headers)
  }

export const SHORT = { http: { pause: 1, timeout: 100, tries: 5 } }
/** Sends each byte within the timeout; together they are too few. */
export const RATED = { http: { ...SHORT.http, minRate: 1000 } }
export const UNCHECKED = { verify: 'none', http: { pause: 1, multipart: false } } as const
export const SINGLE = { http: { pause: 1, multipart: false } }

export const END = '\r\n--THIS_STRING_SEPARATES--\r\n'

export function reordered(body: string): string {
  const inside = body.slice(0, -END.length)
  const starts = Array.from(
    inside.matchAll(/\r\n--THIS_STRING_SEPARATES\r\n/g),
    ({ index }) => index,
  )
  const parts = starts.map((start, at) => inside.slice(start, starts[at + 1]))
  return parts.reverse().join('') + END
}

export function sometimes(percent: number, change: Change): Scenario['fault'] {
  return ({ random }) => {
    return (reply, asked) => {
      if (random.chance(percent)) change(reply, asked, random)
    }
  }
}

export function raw(bytes: string): Change {
  return (reply) => {
    reply.raw = bytes
  }
}

export const gzipped: Change = (reply) => {
  reply.body = gzipSync(reply.body)
  reply.headers['Content-Encoding'] = 'gzip'
}

export const padded: Change = (reply) => {
  reply.headers = { 'Transfer-Encoding': 'chunked' }
  reply.body = Buffer.alloc(2 << 20, 'ref: refs/heads/main\n')
}

export function text(body: string): Change {
  return (reply) => {
    const headers =
      reply.status === 206 ? { 'Content-Range': `bytes 0-${body.length - 1}/${body.length}` } : {}
    reply.headers = headers
    reply.body = Buffer.from(body)
  }
}

export function named(name: string): Which {
  return ({ path }) => path === `/repo.git/${name}`
}

/** Answers the first request for a file well, the others not. */
export function fromSecond(path: string, change: Change): Scenario['fault'] {
  return ({ random }) => {
    let seen = false
    return (reply, asked) => {
      if (asked.path !== path) return
      if (seen) change(reply, asked, random)
      seen = true
    }
  }
}

export function firstOnly(scene: () => Scene): Change {
  return (reply, { path, ranges }) => {
    const file = scene().files.get(path)
    const [first] = ranges
    if (!file || !first) return
    delete reply.headers['Content-Type']
    reply.headers['Content-Range'] = contentRange(first, file.bytes.length)
    reply.body = file.bytes.subarray(...first)
  }
}

export function withoutEtag(fault: Scenario['fault']): Scenario['fault'] {
  return (its) => {
    const then = fault(its)
    return (reply, asked) => {
      delete reply.headers.ETag
      then(reply, asked)
    }
  }
}

export function unmarked(fault: Scenario['fault']): Scenario['fault'] {
  return withoutEtag((its) => {
    const then = fault(its)
    return (reply, asked) => {
      delete reply.headers['Last-Modified']
      then(reply, asked)
    }
  })
}

export const weakEtag: Scenario['fault'] = () => {
  let count = 0
  return (reply) => {
    reply.headers.ETag = `W/"${count++}"`
  }
}
