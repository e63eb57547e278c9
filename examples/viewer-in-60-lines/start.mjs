// Serves the page, the package, and a repository, which packlens serve reads by ranges.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const [folder = '.', port = '0'] = process.argv.slice(2)
const page = fileURLToPath(new URL('index.html', import.meta.url))
const dist = fileURLToPath(new URL('dist', import.meta.resolve('packlens/package.json')))
const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm' }

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://page')
  const [, name] = /^\/packlens\/((?:wasm\/)?[\w-]+\.(?:js|wasm))$/.exec(pathname) ?? []
  if (pathname !== '/' && name === undefined) return response.writeHead(404).end()
  try {
    const body = readFileSync(name === undefined ? page : path.join(dist, name))
    const type = name === undefined ? 'text/html' : TYPES[path.extname(name)]
    response.writeHead(200, { 'content-type': type }).end(body)
  } catch {
    response.writeHead(404).end()
  }
})

server.listen(Number(port), '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${server.address().port}`
  const args = [path.join(dist, 'node/cli/packlens.cjs'), 'serve', folder, '--cors', origin]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.on('exit', () => child.kill())
  process.on('SIGTERM', () => process.exit())
  child.on('close', (code) => process.exit(code ?? 0))
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const [, repository] = / at (\S+)\n/.exec(text) ?? []
    if (repository) console.log(`Open ${origin}/?repo=${encodeURIComponent(repository)}`)
  })
})
