/** Opens a file: finds out whether it exists, its version, and some of its bytes. */
import type { Span } from './content-range.js'
import { WrongContent } from './page.js'
import type { Server } from './server.js'
import type { Bytes, Target, Transfer } from './transfer.js'
import { askVersion, transferMany, transferOne } from './transfer.js'
import type { Version } from './version.js'
import { checkVersion } from './version.js'

/** Bytes of a file, from the offset `start` on. */
export interface Piece {
  readonly start: number
  readonly bytes: Bytes
}

export interface Opened {
  readonly version: Version
  readonly pieces: readonly Piece[]
  /** True if the pieces are the whole file, because the server ignores ranges. */
  readonly whole: boolean
}

/**
 * Requests ranges of a file of which nothing is known. The first span is its beginning; others
 * may be beyond its end. Returns `null` if the file does not exist.
 */
export async function openWith(
  server: Server,
  target: Target,
  spans: readonly [Span, ...Span[]],
  signal: AbortSignal | undefined,
): Promise<Opened | WrongContent | null> {
  if (spans.length > 1 && server.multipart) {
    const transfer = await transferMany(server, target, spans, signal)
    if (transfer) return openedBy(transfer, spans)
  }
  const one = (span: Span) => transferOne(server, target, span, signal)
  const [first, ...others] = await Promise.all(spans.map(one))
  const refused = first?.kind === 'outside'
  if (refused)
    return { version: await askVersion(server, target, signal), pieces: [], whole: false }
  const opened = openedBy(first as Transfer, spans)
  if (!opened || opened instanceof WrongContent || opened.whole) return opened
  const pieces = [...opened.pieces]
  others.forEach((other, at) => {
    if (other.kind !== 'ranges') return
    checkVersion(opened.version, other.version, target.path)
    const start = spans[at + 1]?.start ?? 0
    pieces.push({ start, bytes: other.ranges[0] as Bytes })
  })
  return { ...opened, pieces }
}

function openedBy(transfer: Transfer, spans: readonly Span[]): Opened | WrongContent | null {
  if (transfer.kind === 'whole') {
    const { version, bytes } = transfer
    return { version, pieces: [{ start: 0, bytes }], whole: true }
  }
  if (transfer.kind === 'wrong-content') return transfer
  if (transfer.kind !== 'ranges') return null
  const { version, ranges } = transfer
  const pieces = ranges.map((bytes, at) => ({ start: spans[at]?.start ?? 0, bytes }))
  return { version, pieces, whole: false }
}
