/** The package as in a page, which loads its modules from a server that tests control. */
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Packlens from 'packlens'
import { bytesOf } from './sources.ts'
import { errorOf, root } from './support.ts'

export type Repo = Packlens.Repository

const bundle = pathToFileURL(path.join(root, 'dist', 'node', 'packlens.js')).href
export const wasm = (name: string) => bytesOf(path.join(root, 'dist', 'wasm', name))

const REST_PATH = '/rest.wasm'

/** Serves the full module and its rest: at once, on release, or not at all. */
export class ModuleServer {
  /** How often the full module was requested, and its rest. */
  requests = 0
  rests = 0
  isDown = false
  /** What is served as the rest. */
  rest = 'packlens_rest.wasm'
  #held: [string, ServerResponse][] | undefined
  #onRequest: (() => void) | undefined
  readonly #server = createServer(({ url = '' }, response) => {
    if (url === REST_PATH) this.rests++
    else this.requests++
    if (this.#held) this.#held.push([url, response])
    else this.#answer(url, response)
    this.#onRequest?.()
  })

  async listen(): Promise<{ full: string; rest: string }> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return { full: `${origin}/full.wasm`, rest: origin + REST_PATH }
  }

  /** Answers nothing before `release`; resolves once so many files were requested. */
  hold(count = 1): Promise<void> {
    this.#held = []
    return new Promise((resolve) => {
      this.#onRequest = () => {
        if (this.#held?.length === count) resolve()
      }
    })
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = this.#onRequest = undefined
    for (const [url, response] of held) this.#answer(url, response)
  }

  close(): void {
    this.release()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #answer(url: string, response: ServerResponse): void {
    if (this.isDown) {
      response.destroy()
      return
    }
    response.writeHead(200, { 'content-type': 'application/wasm' })
    response.end(wasm(url === REST_PATH ? this.rest : 'packlens_bg.wasm'))
  }
}

const servers: ModuleServer[] = []

export function closeServers(): void {
  for (const server of servers.splice(0)) server.close()
}

let copies = 0

/** The package as in a fresh page, which has loaded nothing yet, and a server of its modules. */
export async function emptyPage() {
  const page: typeof Packlens = await import(/* @vite-ignore */ `${bundle}?copy=${++copies}`)
  const server = new ModuleServer()
  servers.push(server)
  return { page, server, addresses: await server.listen() }
}

/** The package as in a page that has loaded the reader. */
export async function inPage(): Promise<{ page: typeof Packlens; server: ModuleServer }> {
  const { page, server, addresses } = await emptyPage()
  const { full, rest } = addresses
  await page.load({ reader: wasm('packlens_reader.wasm'), wasm: full, rest })
  return { page, server }
}

/** Returns the answer or the error, whose class belongs to the copy of the package. */
export async function outcome(ask: (repo: Repo) => unknown, repo: Repo): Promise<unknown> {
  try {
    return { answer: await ask(repo) }
  } catch (error) {
    const { code, subject } = error as Packlens.PacklensError
    if (code === undefined) throw error
    return { code, subject }
  }
}

export async function codeIn(page: typeof Packlens, ask: () => unknown): Promise<string> {
  return (await errorOf(ask, page.isPacklensError)).code
}
