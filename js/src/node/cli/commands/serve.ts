/** `serve`: a static server of a repository, which `open` reads by its URL, and of the viewer. */
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import * as path from 'node:path'
import type { MaybePromise } from '../../../base/maybe.js'
import { gitDirectoryAt } from '../../path-store.js'
import { parseOptions } from '../args/options.js'
import { fatal, Misused } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { publishedFile } from '../base/published.js'
import { Command } from '../opening/command.js'
import { eachRef } from '../refs/ref-list.js'
import { toBytes } from '../text/bytes.js'

const LOCAL = '127.0.0.1'

export function serve({ io }: Command, args: readonly string[]): MaybePromise<number> {
  const parsed = { port: 0, host: LOCAL, cors: undefined as string | undefined }
  const [folder = '.', ...more] = parseOptions(
    [
      { long: 'port', value: 'required', set: (value = '') => (parsed.port = portOf(value)) },
      { long: 'host', value: 'required', set: (value = '') => (parsed.host = value) },
      { long: 'cors', value: 'required', set: (value = '') => (parsed.cors = originOf(value)) },
    ],
    args,
  )
  if (more.length > 0) throw new Misused()
  const given = path.resolve(io.cwd, folder)
  const directory = gitDirectoryAt(given)
  if (directory === null) throw fatal(`not a git repository: '${folder}'`)
  if (directory.gitDir !== directory.commonDir) {
    throw fatal(`'${folder}' is a linked worktree: serve ${directory.commonDir}`)
  }
  return listen(io, directory.gitDir, parsed)
}

interface Settings {
  readonly port: number
  readonly host: string
  readonly cors: string | undefined
}

/** Listens until the process ends. */
async function listen(io: Io, gitDir: string, { port, host, cors }: Settings): Promise<number> {
  const { repositoryServer } = await import('../serve/server.js')
  const archive = publishedFile('node/cli/viewer.json.br')
  // Tests of the package run without the viewer.
  const hasViewer = existsSync(archive)
  const root = realpathSync(gitDir, { encoding: 'buffer' })
  const server = repositoryServer({
    root,
    name: nameOf(root.toString()),
    made: (name) => serverInfo(io, gitDir, name),
    viewer: hasViewer ? { archive, modules: publishedFile('wasm/') } : null,
    cors,
    isLocal: host === LOCAL || host === 'localhost' || host === '::1',
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(fatal(`cannot listen: ${message}`)))
    server.listen(port, host, resolve)
  })
  const { address, family, port: own } = server.address() as AddressInfo
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${own}/`
  const browse = hasViewer ? 'Open that in a browser, or read' : 'Read'
  io.write(Buffer.from(`Serving ${gitDir} at ${url}\n${browse} it by await open('${url}')\n`))
  return new Promise((resolve) => server.once('close', () => resolve(0)))
}

/** Returns `project.git` of a git directory of that name, and of `project/.git`. */
function nameOf(gitDir: string): string {
  const base = path.basename(gitDir)
  const own = base === '.git' ? path.basename(path.dirname(gitDir)) : base
  return own.endsWith('.git') ? own : `${own}.git`
}

/**
 * Returns the lists that `git update-server-info` writes, of what is there now: without folders
 * to list, a client finds packs and refs by these only.
 */
function serverInfo(io: Io, gitDir: string, name: string): Uint8Array | null {
  if (name === 'objects/info/packs') return packList(path.join(gitDir, 'objects', 'pack'))
  return name === 'info/refs' ? refList(io, gitDir) : null
}

function packList(folder: string): Uint8Array {
  let names: string[] = []
  try {
    names = readdirSync(folder).filter((name) => name.endsWith('.pack'))
  } catch {
    // A repository without packs may have no such folder.
  }
  return Buffer.from(`${names.map((name) => `P ${name}\n`).join('')}\n`)
}

/**
 * Returns the refs with their ids, and of tags what they point at; `null` for reftables, which
 * clients read.
 */
function refList(io: Io, gitDir: string): Uint8Array | null {
  if (existsSync(path.join(gitDir, 'reftable', 'tables.list'))) return null
  const command = new Command({ ...io, endsProcess: false }, gitDir)
  try {
    const lines: string[] = []
    eachRef(command.open().reader, { prefix: 'refs/', peel: true }, ({ name, oid, peeled }) => {
      if (oid !== null) lines.push(`${oid}\t${name}\n`)
      if (peeled !== null) lines.push(`${peeled}\t${name}^{}\n`)
    })
    return toBytes(lines.join(''))
  } finally {
    command.close()
  }
}

function portOf(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) < 1 << 16) return Number(value)
  throw fatal(`'${value}' is no port: a number from 0 to 65535`)
}

function originOf(value: string): string {
  if (value === '*') return value
  if (URL.canParse(value) && new URL(value).origin === value) return value
  throw fatal(`'${value}' is no origin, such as https://example.com, or *`)
}
