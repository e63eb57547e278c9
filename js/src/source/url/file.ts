/** A file on a server, read by ranges. */
import type { MaybePromise } from '../../base/maybe.js'
import { Fetches, Waiting } from '../../base/waiting.js'
import type { FileOpenOptions, LentFile, ReadOptions } from '../store.js'
import { joined } from './body.js'
import type { Span } from './content-range.js'
import type { Opened, Piece } from './opening.js'
import { openWith } from './opening.js'
import { Ranges } from './ranges.js'
import type { Server } from './server.js'
import { nextStamp } from './stamp.js'
import type { Bytes, Target, Transfer } from './transfer.js'
import { transferMany, transferOne } from './transfer.js'
import { changed } from './version.js'

/** How to read a kind of file with few requests. */
export interface ReadProfile {
  readonly blockSize: number
  /** How many bytes from the beginning the first request reads. */
  readonly first: number
  /** See `FileFacts.before`. */
  readonly before: number
  /** A file of up to this size is read with half of that: what belongs together is nearer in it. */
  readonly small?: number
  /** A file of up to this size is read whole once its first bytes are not enough. */
  readonly whole: number
  /** Set for files that are not text. */
  readonly binary?: boolean
}

export interface RemoteOpenOptions extends FileOpenOptions {
  /**
   * Returns whether the file must exist: something else in its place is an error then.
   * Default: true if the file was seen before.
   */
  readonly mustBe?: (() => MaybePromise<boolean>) | undefined
}

export class RemoteFile implements LentFile {
  readonly remote = true
  readonly stamp = nextStamp()
  readonly blockSize: number
  readonly before: number
  readonly ahead: number
  readonly size: number
  readonly #server: Server
  readonly #target: Target
  readonly #mustBe: RemoteOpenOptions['mustBe']
  readonly #ranges: Ranges
  /** Whether the whole file is read once more than its first bytes are needed. */
  readonly #isReadWhole: boolean
  /** The bytes in memory: each piece until it was read to its end, unless pieces are kept. */
  #pieces: readonly Piece[]
  #keepsPieces: boolean
  readonly #completing = new Fetches(new Waiting())

  private constructor(
    server: Server,
    target: Target,
    profile: ReadProfile,
    opened: Opened,
    mustBe: RemoteOpenOptions['mustBe'],
  ) {
    const { version, pieces, whole } = opened
    this.size = version.size
    this.blockSize = profile.blockSize
    this.before = profile.before / (version.size <= (profile.small ?? 0) ? 2 : 1)
    this.ahead = pieces[0]?.bytes.byteLength ?? 0
    this.#server = server
    this.#mustBe = mustBe
    this.#target = { ...target, version }
    this.#isReadWhole = this.size <= profile.whole
    this.#pieces = pieces
    this.#keepsPieces = whole || this.#isReadWhole
    const send = (spans: readonly Span[], signal: AbortSignal) => this.#fetch(spans, signal)
    this.#ranges = new Ranges(send, server.settings.gap, () => server.multipart)
  }

  /**
   * Opens a file: reads its first bytes, and those near the offset at which reading will begin.
   * Returns `null` if the file does not exist.
   *
   * @throws `UNSUPPORTED`, `ABORTED`, `NETWORK`, also if something else comes in place of the
   * file
   */
  static async open(
    server: Server,
    url: URL,
    path: string,
    profile: ReadProfile,
    { near, signal, mustBe }: RemoteOpenOptions = {},
  ): Promise<RemoteFile | null> {
    const target: Target = { url, path, version: undefined, binary: profile.binary === true }
    const spans = spansNear(near ?? 0, profile)
    const opened = await openWith(server, target, spans, signal)
    const there = await server.rejectWrongContent(url, opened, mustBe)
    return there && new RemoteFile(server, target, profile, there, mustBe)
  }

  /** The first bytes, if they are still in memory; otherwise an empty array. */
  get beginning(): Bytes {
    return this.#pieces[0]?.bytes ?? new Uint8Array()
  }

  read(offset: number, length: number, { signal }: ReadOptions): MaybePromise<Bytes> {
    const span = { start: offset, end: Math.min(offset + length, this.size) }
    const piece = this.#pieces.find(({ start, bytes }) => {
      return start <= offset && offset < start + bytes.byteLength
    })
    if (piece && span.end <= piece.start + piece.bytes.byteLength) return this.#cut(piece, span)
    return this.#isReadWhole ? this.#readWhole(span, signal) : this.#readOn(span, piece, signal)
  }

  /** Joins the bytes in memory with the missing ones after them, which are read. */
  async #readOn(
    span: Span,
    piece: Piece | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Bytes> {
    if (!piece) return this.#ranges.read(span, signal)
    const middle = piece.start + piece.bytes.byteLength
    const there = this.#cut(piece, { start: span.start, end: middle })
    const rest = await this.#ranges.read({ start: middle, end: span.end }, signal)
    return joined([there, rest], span.end - span.start)
  }

  /** Reads the whole file, once for all pending reads. */
  async #readWhole({ start, end }: Span, signal: AbortSignal | undefined): Promise<Bytes> {
    await this.#completing.share('', (ending) => this.#complete(ending.signal), signal)
    return this.beginning.subarray(start, end)
  }

  async #complete(signal: AbortSignal): Promise<void> {
    const there = this.beginning
    const rest = await this.#ranges.read({ start: there.byteLength, end: this.size }, signal)
    this.#pieces = [{ start: 0, bytes: joined([there, rest], this.size) }]
  }

  #cut(piece: Piece, { start, end }: Span): Bytes {
    const isDone = end === piece.start + piece.bytes.byteLength
    if (isDone && !this.#keepsPieces) {
      this.#pieces = this.#pieces.filter((other) => other !== piece)
    }
    return piece.bytes.subarray(start - piece.start, end - piece.start)
  }

  async #fetch(spans: readonly Span[], signal: AbortSignal): Promise<readonly Bytes[]> {
    if (spans.length > 1) {
      const transfer = await transferMany(this.#server, this.#target, spans, signal)
      if (transfer) return this.#take(transfer, spans)
    }
    const one = async (span: Span) => {
      const transfer = await transferOne(this.#server, this.#target, span, signal)
      return (await this.#take(transfer, [span]))[0] as Bytes
    }
    return Promise.all(spans.map(one))
  }

  async #take(transfer: Transfer, spans: readonly Span[]): Promise<readonly Bytes[]> {
    if (transfer.kind === 'ranges') return transfer.ranges
    if (transfer.kind === 'wrong-content') {
      await this.#server.rejectWrongContent(this.#target.url, transfer, this.#mustBe)
    }
    if (transfer.kind !== 'whole') throw changed(this.#target.path)
    this.#pieces = [{ start: 0, bytes: transfer.bytes }]
    this.#keepsPieces = true
    return spans.map(({ start, end }) => transfer.bytes.subarray(start, end))
  }
}

/** Returns the ranges to open a file with: its beginning, and the blocks around an offset. */
function spansNear(near: number, profile: ReadProfile): readonly [Span, ...Span[]] {
  const { blockSize, before, first } = profile
  const down = (place: number) => Math.floor(place / blockSize) * blockSize
  const start = Math.max(0, down(near - before))
  const end = down(near) + Math.max(blockSize, before)
  if (end <= first) return [{ start: 0, end: first }]
  if (start <= first) return [{ start: 0, end }]
  return [
    { start: 0, end: first },
    { start, end },
  ]
}
