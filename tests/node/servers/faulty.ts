/** A file server that works correctly, until a fault changes its replies. */
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'

/** The content and the timing of a reply. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body: Buffer
  /** Breaks the connection after this many bytes of the body. */
  cutAt?: number
  /** Sends nothing more after this many bytes of the body; -1: nothing at all. */
  stallAt?: number
  /** Sends this many bytes at a time, with a pause after each. */
  drip?: number
  /** Waits this many milliseconds first. */
  holdFor?: number
  /** Sends these raw bytes and nothing else. */
  raw?: string
}

/** A request, as the server sees it. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** The requested ranges, each with its exclusive end; empty: the whole file. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
  /** How often the same was requested before. */
  readonly times: number
}

/** Changes the right reply to a request. */
export type Fault = (reply: Reply, asked: Asked) => void

export interface ServedFile {
  readonly bytes: Buffer
  readonly etag?: string
  readonly modified?: string
}

const BOUNDARY = 'THIS_STRING_SEPARATES'
const DRIP_PAUSE = 50

export class FaultyServer {
  /** The files, by their paths. */
  files: ReadonlyMap<string, ServedFile> = new Map()
  fault: Fault = () => {}
  /** All requests, in their order. */
  asked: Asked[] = []
  /** The number of replies that the fault changed. */
  faults = 0
  /** Called when a connection is closed before everything was sent. */
  onClose: () => void = () => {}
  readonly #server: Server
  readonly #times = new Map<string, number>()

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<FaultyServer> {
    const server = createServer()
    const faulty = new FaultyServer(server)
    server.on('request', (request, response) => faulty.#answer(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return faulty
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Forgets the requests and the fault. */
  reset(files: ReadonlyMap<string, ServedFile>): void {
    this.files = files
    this.fault = () => {}
    this.onClose = () => {}
    this.asked = []
    this.faults = 0
    this.#times.clear()
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const asked = this.#note(request)
    const reply = this.rightReply(asked.path, asked.ranges)
    const right = { ...reply, headers: JSON.stringify(reply.headers) }
    this.fault(reply, asked)
    if (!isDeepStrictEqual({ ...reply, headers: JSON.stringify(reply.headers) }, right))
      this.faults++
    response.once('close', () => {
      if (!response.writableFinished) this.onClose()
    })
    setTimeout(() => send(reply, asked, response), reply.holdFor ?? 0)
  }

  #note({ method = 'GET', url = '/', headers }: IncomingMessage): Asked {
    const key = `${method} ${url} ${headers.range ?? ''}`
    const times = this.#times.get(key) ?? 0
    this.#times.set(key, times + 1)
    const { pathname, search: query } = new URL(url, 'http://localhost')
    const path = decodeURIComponent(pathname)
    const asked = { method, path, query, headers, ranges: rangesIn(headers.range ?? ''), times }
    this.asked.push(asked)
    return asked
  }

  /** Returns the right reply. */
  rightReply(path: string, ranges: Asked['ranges']): Reply {
    const file = this.files.get(path)
    if (!file) return { status: 404, headers: {}, body: Buffer.from('not here\n') }
    const { bytes, etag, modified } = file
    const headers: Record<string, string> = { 'Accept-Ranges': 'bytes' }
    if (etag) headers.ETag = etag
    if (modified) headers['Last-Modified'] = modified
    if (ranges.length === 0) return { status: 200, headers, body: bytes }
    const there = ranges
      .filter(([start]) => start < bytes.length)
      .map(([start, end]) => [start, Math.min(end, bytes.length)] as const)
    if (there.length === 0) {
      headers['Content-Range'] = `bytes */${bytes.length}`
      return { status: 416, headers, body: Buffer.alloc(0) }
    }
    const [first] = there as [readonly [number, number]]
    if (there.length > 1) {
      headers['Content-Type'] = `multipart/byteranges; boundary=${BOUNDARY}`
      return { status: 206, headers, body: multipartBody(bytes, there) }
    }
    headers['Content-Range'] = contentRange(first, bytes.length)
    return { status: 206, headers, body: bytes.subarray(...first) }
  }
}

export function contentRange([start, end]: readonly [number, number], size: number): string {
  return `bytes ${start}-${end - 1}/${size}`
}

/** Returns the parts, each with its range. */
export function multipartBody(bytes: Buffer, ranges: Asked['ranges']): Buffer {
  const parts = ranges.map((range) => {
    const head = `\r\n--${BOUNDARY}\r\nContent-Type: application/octet-stream\r\n`
    const place = `Content-Range: ${contentRange(range, bytes.length)}\r\n\r\n`
    return Buffer.concat([Buffer.from(head + place), bytes.subarray(...range)])
  })
  return Buffer.concat([...parts, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
}

function rangesIn(header: string): [number, number][] {
  return Array.from(header.matchAll(/(\d+)-(\d+)/g), ([, first, last]) => [
    Number(first),
    Number(last) + 1,
  ])
}

function send(reply: Reply, { method }: Asked, response: ServerResponse): void {
  const { status, headers, body, cutAt, stallAt, drip, raw } = reply
  if (raw !== undefined) {
    response.socket?.end(raw)
    return
  }
  if (stallAt === -1) return
  const isChunked = headers['Transfer-Encoding'] === 'chunked'
  if (!isChunked) headers['Content-Length'] ??= `${body.length}`
  response.writeHead(status, headers)
  if (method === 'HEAD') response.end()
  else if (cutAt !== undefined) sendSome(response, body, cutAt, () => response.destroy())
  else if (stallAt !== undefined) sendSome(response, body, stallAt, () => {})
  else if (drip !== undefined) sendInDrips(response, body, drip)
  else response.end(body)
}

function sendSome(response: ServerResponse, body: Buffer, length: number, then: () => void): void {
  response.flushHeaders()
  if (length > 0) response.write(body.subarray(0, length), then)
  else setTimeout(then, 1)
}

function sendInDrips(response: ServerResponse, body: Buffer, size: number): void {
  let at = 0
  const timer = setInterval(() => {
    response.write(body.subarray(at, at + size))
    at += size
    if (at < body.length && !response.destroyed) return
    clearInterval(timer)
    response.end()
  }, DRIP_PAUSE)
}
