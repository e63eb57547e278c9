// A Vite plugin that serves a folder byte for byte, with Range and ETag. Vite on
// its own treats names without an extension, such as HEAD, as modules, refuses files
// below .git, and answers a missing file with a page.
import { createReadStream, statSync } from 'node:fs'
import path from 'node:path'
import { root } from './paths.mjs'

/** `prefix` is both the address and the folder below the project: '/target/fixtures/'. */
export function rawFiles(prefix) {
  const folder = path.join(root, prefix)
  return {
    name: 'packlens-raw-files',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname } = new URL(request.url ?? '/', 'http://localhost')
        if (!pathname.startsWith(prefix)) return next()
        const file = path.join(root, decodeURIComponent(pathname))
        const stat = file.startsWith(folder) ? statSync(file, { throwIfNoEntry: false }) : undefined
        if (stat?.isFile()) sendFile(request, response, file, stat)
        else response.writeHead(404).end()
      })
    },
  }
}

function sendFile(request, response, file, { size, mtimeMs }) {
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Cache-Control': 'no-cache',
    'Accept-Ranges': 'bytes',
    ETag: `"${size}-${mtimeMs}"`,
  }
  const range = parseRange(request.headers.range, size)
  if (range === null) {
    response.writeHead(416, { ...headers, 'Content-Range': `bytes */${size}` }).end()
    return
  }
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) headers['Content-Range'] = `bytes ${start}-${end}/${size}`
  response.writeHead(range ? 206 : 200, { ...headers, 'Content-Length': end - start + 1 })
  if (request.method === 'HEAD' || size === 0) response.end()
  else createReadStream(file, { start, end }).pipe(response)
}

/** Returns undefined without a valid Range, null for one outside of the file; `end` is inclusive. */
function parseRange(header, size) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (!first && !last) return undefined
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1
  return start > end ? null : { start, end }
}
