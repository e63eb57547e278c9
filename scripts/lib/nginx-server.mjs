// Runs an nginx in the foreground, on this machine only, until it is stopped.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from './free-port.mjs'
import { foundProgram } from './programs.mjs'
import { Failure } from './shell.mjs'

const MOST_TRIES = 5
const STARTS_WITHIN = 10_000

/**
 * Starts a server. Each of `places` is `{ prefix, folder, lines }`: the files
 * below `folder` are at `prefix`, and `lines` are more of nginx's directives.
 * Returns its address without a slash at the end, and a function that stops it.
 */
export async function startNginx(places) {
  const binary = foundProgram('nginx')
  if (!binary) throw new Failure("no nginx: run 'npm test -- set-up node' once")
  for (let attempt = 1; ; attempt++) {
    const started = await tryToStart(binary, places)
    if (started.url) return started
    if (attempt === MOST_TRIES) throw new Failure(`nginx does not start: ${started.why}`)
  }
}

async function tryToStart(binary, places) {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-nginx-'))
  // Another process may take the port first: then nginx ends, and is started again.
  const port = await freePort()
  const settings = path.join(folder, 'nginx.conf')
  writeFileSync(settings, settingsText(folder, port, places))
  const log = path.join(folder, 'error.log')
  const child = spawn(binary, ['-e', log, '-p', folder, '-c', settings], { stdio: 'ignore' })
  const ended = new Promise((resolve) => {
    child.once('exit', resolve)
    child.once('error', resolve)
  })
  const endNow = () => child.kill('SIGKILL')
  process.once('exit', endNow)
  const stop = async () => {
    process.off('exit', endNow)
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const isUp = await Promise.race([answers(port), ended.then(() => false)])
  if (isUp) return { url: `http://127.0.0.1:${port}`, stop }
  const why = readFileSync(log, { encoding: 'utf8', flag: 'a+' }).trim()
  await stop()
  return { why }
}

/** One process of the user who started it, so that no folder must be opened to others. */
function settingsText(folder, port, places) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  access_log off;
  default_type application/octet-stream;
  server {
    listen 127.0.0.1:${port};
    ${places.map(location).join('\n    ')}
  }
}
`
}

function location({ prefix, folder, lines = [] }) {
  return `location ${prefix} { alias ${folder}/; ${lines.join(' ')} }`
}

async function answers(port) {
  for (const start = Date.now(); Date.now() - start < STARTS_WITHIN; ) {
    if (await connects(port)) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

function connects(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (is) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
