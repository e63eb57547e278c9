/** Requests ranges of a file, and checks that the answer has these ranges. */
import { PacklensError } from '../../base/errors.js'
import type { Body } from './body.js'
import { TooLong } from './body.js'
import { Broken, plain } from './client.js'
import type { Span } from './content-range.js'
import { parseContentRange, rangeOf } from './content-range.js'
import { boundaryOf, PART_OVERHEAD, parseParts } from './multipart.js'
import { isPage, isText, type WrongContent, wrongContent } from './page.js'
import type { Server } from './server.js'
import { isForeign } from './server.js'
import type { Version } from './version.js'
import { changed, checkVersion, versionOf } from './version.js'

export type Bytes = Uint8Array<ArrayBuffer>

/** A file on a server, and what is known about it. */
export interface Target {
  readonly url: URL
  /** Its path in the repository. */
  readonly path: string
  /** The version that every answer must have; unknown before the first one. */
  readonly version: Version | undefined
  /** Set for files that are not text: an answer of text is not the file then. */
  readonly binary?: boolean
}

/** The result of a request for ranges. */
export type Transfer =
  | { readonly kind: 'ranges'; readonly version: Version; readonly ranges: readonly Bytes[] }
  | { readonly kind: 'whole'; readonly version: Version; readonly bytes: Bytes }
  /** The ranges are beyond the end of the file. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'absent' }
  | WrongContent

/**
 * Requests one range, which is cut at the end of the file.
 *
 * @throws `CHANGED`, `UNSUPPORTED`, `NETWORK`, `ABORTED`
 */
export async function transferOne(
  server: Server,
  target: Target,
  span: Span,
  signal: AbortSignal | undefined,
): Promise<Transfer> {
  const range = rangeOf([span])
  const transfer = await server.client.ask<Transfer | Unsized>(
    target.url,
    { range, signal },
    async (response, body) => {
      const taken = await takeOne(server, target, span, response, body)
      return wrongContentOf(target, span, response, taken) ?? taken
    },
  )
  return transfer.kind === 'unsized' ? sized(server, target, span, transfer, signal) : transfer
}

/**
 * Object storage answers several ranges with the whole file. If it has more bytes than the ranges
 * and these, requests for the ranges one by one take less time than the rest of it.
 */
const MOST_BEYOND = 64 << 10

/**
 * Requests several ranges at once, sorted by offset and not adjacent. Returns `null` if the
 * server does not support this; later calls then request one range at a time.
 *
 * @throws as {@link transferOne}
 */
export async function transferMany(
  server: Server,
  target: Target,
  spans: readonly Span[],
  signal: AbortSignal | undefined,
): Promise<Transfer | null> {
  const range = rangeOf(spans)
  const most = Math.min(lengthOf(spans) + MOST_BEYOND, server.wholeLeft)
  const answer = server.client.ask<Transfer | null>(
    target.url,
    { range, signal },
    async (response, body) => {
      if (response.status === 416) return null
      if (response.status !== 206) return takeOther(server, target, response, body, most)
      const taken = await takeMany(target, spans, response, body)
      return taken && (wrongContentOf(target, spans[0], response, taken) ?? taken)
    },
  )
  const transfer = await answer.catch(nullIfDisliked)
  if (!transfer || transfer.kind === 'whole') server.multipart = false
  return transfer
}

/**
 * Statuses of answers to several ranges where a server takes them for an attack (400), does
 * not know them (501), or a redirect to another origin needs permission (no status).
 */
const DISLIKED: readonly unknown[] = [400, 501, undefined]

function nullIfDisliked(error: unknown): null {
  const isNetwork = error instanceof PacklensError && error.code === 'NETWORK'
  if (isNetwork && DISLIKED.includes(error.status)) return null
  throw error
}

/**
 * A range of a file whose size is unknown: the answer omits it (`bytes 0-99/*`), or the browser
 * hides it, and the offset of the range too.
 */
interface Unsized {
  readonly kind: 'unsized'
  readonly bytes: Bytes
  readonly mark: string
}

/** Returns a {@link WrongContent} if the first bytes are not those of the file; else `null`. */
function wrongContentOf(
  target: Target,
  first: Span | undefined,
  response: Response,
  taken: Transfer | Unsized,
): WrongContent | null {
  if (first?.start !== 0) return null
  const begin = 'bytes' in taken ? taken.bytes : 'ranges' in taken ? taken.ranges[0] : undefined
  return begin && isOther(target, begin) ? wrongContent(target.url, response, begin) : null
}

function isOther({ binary }: Target, begin: Bytes): boolean {
  return isPage(begin) || (binary === true && isText(begin))
}

async function takeOne(
  server: Server,
  target: Target,
  span: Span,
  response: Response,
  body: Body,
): Promise<Transfer | Unsized> {
  if (response.status !== 206) {
    const taken = await takeOther(server, target, response, body, server.wholeLeft)
    if (taken) return taken
    const what =
      'the server ignores Range and the file is too large to be read whole: ' +
      'use a server that supports Range, or raise `memory`'
    throw new PacklensError('UNSUPPORTED', what, { file: target.path })
  }
  checkEncoding(target, response)
  const header = response.headers.get('Content-Range')
  if (header === null) {
    const mayBeHidden = response.type === 'cors' || isForeign(target.url)
    if (!mayBeHidden) throw unlike(target, 'a part without its offset')
    const bytes = await readExactly(target, response, body, span.end - span.start)
    return { kind: 'unsized', bytes, mark: versionOf(response.headers, 0).mark }
  }
  const range = parseContentRange(header)
  if (!range) throw unlike(target, 'a part with an invalid offset')
  const { start, end, total } = range
  const version = total === undefined ? undefined : versionOf(response.headers, total)
  if (version) checkVersion(target.version, version, target.path)
  if (start !== span.start || end > span.end || (total && end < Math.min(span.end, total))) {
    throw unlike(target, 'another range than requested')
  }
  const bytes = await readExactly(target, response, body, end - start)
  if (bytes.byteLength < end - start) throw cutShort(target)
  if (version) return { kind: 'ranges', version, ranges: [bytes] }
  return { kind: 'unsized', bytes, mark: versionOf(response.headers, 0).mark }
}

/** Reads any answer other than a 206: the whole file, `null` if it has more than `most` bytes, or none. */
async function takeOther(
  server: Server,
  target: Target,
  response: Response,
  body: Body,
  most: number,
): Promise<Transfer | null> {
  const { status, headers } = response
  if (status === 416) return { kind: 'outside' }
  if (status !== 200) return { kind: 'absent' }
  const bytes = await readWhole(target, headers, body, most)
  if (bytes === null) return null
  if (isOther(target, bytes)) return wrongContent(target.url, response, bytes)
  const version = versionOf(headers, bytes.byteLength)
  checkVersion(target.version, version, target.path)
  server.keepWhole(bytes.byteLength)
  return { kind: 'whole', version, bytes }
}

/** Reads an answer of several ranges; returns `null` unless it has exactly these ranges. */
async function takeMany(
  target: Target,
  spans: readonly Span[],
  { headers }: Response,
  body: Body,
): Promise<Transfer | null> {
  const boundary = boundaryOf(headers.get('Content-Type'))
  if (boundary === null) return null
  const most = lengthOf(spans) + (spans.length + 1) * PART_OVERHEAD
  const bytes = await orNull(body.read(most))
  const parts = bytes && parseParts(bytes, boundary)
  const total = parts?.[0]?.total ?? target.version?.size
  if (!parts || total === undefined) return null
  const version = versionOf(headers, total)
  checkVersion(target.version, version, target.path)
  const asAsked = parts.every((part, at) => {
    const { start, end } = spans[at] ?? { start: -1, end: -1 }
    return (
      (part.total ?? total) === total && part.start === start && part.end === Math.min(end, total)
    )
  })
  if (!asAsked || parts.length !== spans.length) return null
  return { kind: 'ranges', version, ranges: parts.map((part) => part.bytes) }
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** Adds the size of the file: from an earlier answer, or by a separate request. */
async function sized(
  server: Server,
  target: Target,
  span: Span,
  { bytes, mark }: Unsized,
  signal: AbortSignal | undefined,
): Promise<Transfer> {
  const version = target.version ?? (await askVersion(server, target, signal))
  checkVersion(version, { size: version.size, mark }, target.path)
  if (bytes.byteLength !== Math.min(span.end, version.size) - span.start) {
    throw unlike(target, 'another range than requested').error
  }
  return { kind: 'ranges', version, ranges: [bytes] }
}

/** Requests the version of a file, which has its size, without its bytes. */
export async function askVersion(
  server: Server,
  target: Target,
  signal: AbortSignal | undefined,
): Promise<Version> {
  return server.client.ask(target.url, { method: 'HEAD', signal }, async ({ status, headers }) => {
    if (status !== 200) throw changed(target.path)
    const length = headers.get('Content-Length') ?? ''
    if (/^\d{1,15}$/.test(length) && !isEncoded(headers)) return versionOf(headers, Number(length))
    const what =
      'the server does not say how large the file is: its `Content-Range` must have the size, ' +
      'and pages of other origins need `Access-Control-Expose-Headers: Content-Range, ETag`'
    throw new PacklensError('UNSUPPORTED', what, { file: target.path })
  })
}

/** Reads a whole body, `null` if it has more than `most` bytes. */
export async function readWhole(
  target: Target,
  headers: Headers,
  body: Body,
  most: number,
): Promise<Bytes | null> {
  const length = headers.get('Content-Length')
  // `Content-Length` counts the bytes that are sent, which may be compressed.
  const announced = length === null || isEncoded(headers) ? undefined : Number(length)
  if (announced !== undefined && announced > most) return null
  const bytes = await orNull(body.read(most))
  if (bytes && announced !== undefined && bytes.byteLength < announced) throw cutShort(target)
  return bytes
}

/** Reads a body that may have at most `length` bytes. */
async function readExactly(
  target: Target,
  { headers }: Response,
  body: Body,
  length: number,
): Promise<Bytes> {
  const bytes = await orNull(body.read(length))
  if (!bytes) throw unlike(target, 'more bytes than announced')
  const announced = headers.get('Content-Length')
  if (announced !== null && bytes.byteLength < Number(announced)) throw cutShort(target)
  return bytes
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof TooLong) return null
    throw error
  }
}

function checkEncoding(target: Target, { headers }: Response): void {
  if (!isEncoded(headers)) return
  const what = 'the server compresses ranges of files: turn compression off for this folder'
  throw new PacklensError('UNSUPPORTED', what, { file: target.path })
}

function isEncoded(headers: Headers): boolean {
  return !/^(identity)?$/i.test(headers.get('Content-Encoding') ?? '')
}

function cutShort({ url }: Target): Broken {
  const what = 'the response was cut short: try again later'
  return new Broken(new PacklensError('NETWORK', what, { subject: plain(url) }))
}

/**
 * Returns the error for an answer that violates the rules for `Range`. The request is retried,
 * because a cache in between may be the cause.
 */
function unlike({ url }: Target, found: string): Broken {
  const what = `the server does not support Range: it sent ${found}`
  return new Broken(new PacklensError('UNSUPPORTED', what, { subject: plain(url) }))
}
