/** A static server of one folder: the files of a repository, by ranges. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openFile, partsOf } from './files.js'
import { parseRanges, type Range } from './ranges.js'

export interface ServerOptions {
  /** The real path of the folder. */
  readonly root: Buffer
  /** Returns what is answered in place of a file; `null` for the file itself. */
  readonly made: (path: string) => Uint8Array | null
  /** The origin whose pages may read the answers; `*` for all. */
  readonly cors: string | undefined
  /** Whether only this machine can connect. */
  readonly isLocal: boolean
}

/** What is answered: a file, or bytes in memory. */
interface Content {
  readonly size: number
  readonly tag: string
  readonly modified?: Date
  read(range: Range): Readable
  close(): Promise<void>
}

export function repositoryServer(options: ServerOptions): Server {
  return createServer((request, response) => {
    answer(options, request, response).catch(() => {
      // A body that began can only be cut, so that nobody takes it for whole.
      if (response.headersSent) response.destroy()
      else end(response, 500)
    })
  })
}

async function answer(
  options: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request
  allow(options.cors, response)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  // The name of an attacker's site may lead to this machine: a browser would let it read all.
  if (options.isLocal && !isOwnName(request.headers.host)) return end(response, 421)
  if (method === 'OPTIONS') return end(response, 204)
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD, OPTIONS')
    return end(response, 405)
  }
  const [pathname = ''] = url.split('?')
  const content = await contentOf(options, pathname)
  if (content === null) return end(response, 404)
  try {
    await send(content, request, response)
  } finally {
    await content.close()
  }
}

function allow(cors: string | undefined, response: ServerResponse): void {
  if (cors === undefined) return
  response.setHeader('Access-Control-Allow-Origin', cors)
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD')
  response.setHeader('Access-Control-Allow-Headers', 'Range, If-Range, If-None-Match')
  response.setHeader('Access-Control-Expose-Headers', 'Accept-Ranges, Content-Range, ETag')
  response.setHeader('Access-Control-Max-Age', '600')
  response.setHeader('Vary', 'Origin')
}

function isOwnName(host = ''): boolean {
  const name = host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')
  return name.toLowerCase() === 'localhost' || isIP(name) !== 0
}

async function contentOf({ root, made }: ServerOptions, path: string): Promise<Content | null> {
  const parts = partsOf(path)
  if (parts === null) return null
  const bytes = made(parts.map((part) => part.toString('latin1')).join('/'))
  if (bytes !== null) {
    const tag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
    const read = ({ start, end }: Range) => Readable.from([bytes.subarray(start, end)])
    return { size: bytes.byteLength, tag, read, close: async () => {} }
  }
  const opened = await openFile(root, parts)
  if (opened === null) return null
  const { file, size, tag, modified } = opened
  const read = ({ start, end }: Range) =>
    file.createReadStream({ start, end: end - 1, autoClose: false })
  return { size, tag, modified, read, close: () => file.close() }
}

async function send(
  content: Content,
  { headers, method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { size, tag, modified } = content
  response.setHeader('Accept-Ranges', 'bytes')
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('Content-Type', 'application/octet-stream')
  response.setHeader('ETag', tag)
  if (modified) response.setHeader('Last-Modified', modified.toUTCString())
  const known = headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (known?.some((one) => one === tag || one === '*')) return end(response, 304)
  const ifRange = headers['if-range']
  // A date is too coarse to say that a file is the same.
  const isSame = ifRange === undefined || ifRange === tag
  const ranges = isSame ? parseRanges(headers.range, size) : null
  if (ranges?.length === 0) {
    response.setHeader('Content-Range', `bytes */${size}`)
    return end(response, 416)
  }
  const parts = ranges === null ? [whole(size)] : partsWith(ranges, size, response)
  response.statusCode = ranges === null ? 200 : 206
  const length = parts.reduce(
    (sum, { head, range }) => sum + head.length + range.end - range.start,
    0,
  )
  response.setHeader('Content-Length', length)
  if (method === 'HEAD') {
    response.end()
    return
  }
  for (const { head, range } of parts) {
    if (head !== '') response.write(head, 'latin1')
    if (range.start < range.end) await pipeline(content.read(range), response, { end: false })
  }
  response.end()
}

/** A part of a body: some text, and then bytes of the content. */
interface Part {
  readonly head: string
  readonly range: Range
}

const whole = (size: number): Part => ({ head: '', range: { start: 0, end: size } })

function partsWith(ranges: readonly Range[], size: number, response: ServerResponse): Part[] {
  const shown = ({ start, end }: Range) => `bytes ${start}-${end - 1}/${size}`
  const [only, second] = ranges
  if (only && !second) {
    response.setHeader('Content-Range', shown(only))
    return [{ head: '', range: only }]
  }
  const boundary = createHash('sha256').update(JSON.stringify(ranges)).digest('hex')
  response.setHeader('Content-Type', `multipart/byteranges; boundary=${boundary}`)
  const parts = ranges.map((range, at) => ({
    head: `${at > 0 ? '\r\n' : ''}--${boundary}\r\nContent-Type: application/octet-stream\r\nContent-Range: ${shown(range)}\r\n\r\n`,
    range,
  }))
  return [...parts, { head: `\r\n--${boundary}--\r\n`, range: { start: 0, end: 0 } }]
}

function end(response: ServerResponse, status: number): void {
  response.statusCode = status
  response.removeHeader('Content-Type')
  response.end()
}
