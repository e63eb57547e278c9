/** A static server of one folder: the files of a repository, by ranges; and of the viewer. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openFile, partsOf } from './files.js'
import { parseRanges, type Range } from './ranges.js'
import { type ViewerPlaces, viewerFiles } from './viewer.js'

/** The folder of the viewer: a name that no git directory has. */
const VIEWER = '/viewer/'

export interface ServerOptions {
  /** The real path of the folder. */
  readonly root: Buffer
  /** How the folder is called: it is at the path of this name, too, which the viewer shows. */
  readonly name: string
  /** Returns what is answered in place of a file; `null` for the file itself. */
  readonly made: (path: string) => Uint8Array | null
  /** The viewer, to which browsers are sent; `null` for none. */
  readonly viewer: ViewerPlaces | null
  /** The origin whose pages may read the answers; `*` for all. */
  readonly cors: string | undefined
  /** Whether only this machine can connect. */
  readonly isLocal: boolean
}

/** What is answered: a file, or bytes in memory. */
interface Content {
  readonly size: number
  readonly type?: string
  readonly tag: string
  readonly modified?: Date
  read(range: Range): Readable
  close(): Promise<void>
}

type Answered = ServerOptions & { readonly viewerFile: ReturnType<typeof viewerFiles> | null }

export function repositoryServer(options: ServerOptions): Server {
  const answered = { ...options, viewerFile: options.viewer && viewerFiles(options.viewer) }
  return createServer((request, response) => {
    answer(answered, request, response).catch(() => {
      // A body that began can only be cut, so that nobody takes it for whole.
      if (response.headersSent) response.destroy()
      else end(response, 500)
    })
  })
}

async function answer(
  options: Answered,
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
  if (pathname === '/' && options.viewer) {
    const address = encodeURIComponent(`/${encodeURIComponent(options.name)}`)
    response.setHeader('Location', `${VIEWER}index.html?url=${address}`)
    return end(response, 302)
  }
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

async function contentOf(
  { root, name, made, viewerFile }: Answered,
  path: string,
): Promise<Content | null> {
  if (viewerFile && path.startsWith(VIEWER)) {
    const file = viewerFile(path.slice(VIEWER.length))
    return file && { ...contentIn(file.bytes), type: file.type }
  }
  const parts = partsOf(path)
  if (parts === null) return null
  if (parts.length > 1 && parts[0]?.equals(Buffer.from(name))) parts.shift()
  const bytes = made(parts.map((part) => part.toString('latin1')).join('/'))
  if (bytes !== null) return contentIn(bytes)
  const opened = await openFile(root, parts)
  if (opened === null) return null
  const { file, size, tag, modified } = opened
  const read = ({ start, end }: Range) =>
    file.createReadStream({ start, end: end - 1, autoClose: false })
  return { size, tag, modified, read, close: () => file.close() }
}

function contentIn(bytes: Uint8Array): Content {
  const tag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`
  const read = ({ start, end }: Range) => Readable.from([bytes.subarray(start, end)])
  return { size: bytes.byteLength, tag, read, close: async () => {} }
}

async function send(
  content: Content,
  { headers, method }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { size, type = 'application/octet-stream', tag, modified } = content
  response.setHeader('Accept-Ranges', 'bytes')
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('Content-Type', type)
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
