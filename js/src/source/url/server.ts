/** What was learnt of a server, and where it hands out the files of a repository. */
import { Client } from './client.js'
import type { HttpSettings } from './options.js'

/** Files that are handed out whole instead of by ranges may take this share of the memory. */
const WHOLE_SHARE = 4

export class Server {
  readonly client: Client
  readonly settings: HttpSettings
  /** Whether several ranges may be asked for in one request. */
  multipart: boolean
  #wholeLeft: number

  constructor(settings: HttpSettings, memory: number, base: URL) {
    this.settings = settings
    this.client = new Client(settings)
    // Another origin must be asked for leave first, which is a request of its own.
    this.multipart = settings.multipart && !isForeign(base)
    this.#wholeLeft = Math.floor(memory / WHOLE_SHARE)
  }

  /** How many bytes a file may have that is kept whole. */
  get wholeLeft(): number {
    return this.#wholeLeft
  }

  keepWhole(bytes: number): void {
    this.#wholeLeft -= bytes
  }
}

/** Tells whether a browser hides headers of answers from there. */
export function isForeign(url: URL): boolean {
  const { origin } = globalThis as { origin?: unknown }
  return typeof origin === 'string' && origin !== url.origin
}
