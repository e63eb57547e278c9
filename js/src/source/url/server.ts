/** The state of a server: whether it supports several ranges, and the files that it has. */
import type { MaybePromise } from '../../base/maybe.js'
import { Client } from './client.js'
import type { HttpSettings } from './options.js'
import { WrongContent } from './page.js'

/** Files that the server sends whole instead of by ranges may take this share of memory. */
const WHOLE_SHARE = 4

export class Server {
  readonly client: Client
  readonly settings: HttpSettings
  /** Whether one request may have several ranges. */
  multipart: boolean
  #wholeLeft: number
  /** The URLs at which a file was found. */
  readonly #seen = new Set<string>()

  constructor(settings: HttpSettings, memory: number, base: URL) {
    this.settings = settings
    this.client = new Client(settings)
    // Another origin would need a preflight, which is an additional request.
    this.multipart = settings.multipart && !isForeign(base)
    this.#wholeLeft = Math.floor(memory / WHOLE_SHARE)
  }

  /** The most bytes that another file may have to be kept whole. */
  get wholeLeft(): number {
    return this.#wholeLeft
  }

  /** Records that a file was found. */
  saw({ href }: URL): void {
    this.#seen.add(href)
  }

  /**
   * Returns an answer; `null` for a missing file. A {@link WrongContent} is an error if the file
   * must exist, by default if it was seen before; otherwise it counts as a missing file.
   *
   * @throws `NETWORK`
   */
  async rejectWrongContent<T>(
    url: URL,
    answer: T | WrongContent | null,
    mustBe?: () => MaybePromise<boolean>,
  ): Promise<T | null> {
    if (answer instanceof WrongContent) {
      if (await (mustBe ? mustBe() : this.#seen.has(url.href))) throw answer.error
      return null
    }
    if (answer !== null && !mustBe) this.saw(url)
    return answer
  }

  keepWhole(bytes: number): void {
    this.#wholeLeft -= bytes
  }
}

/** Returns whether a URL is of another origin, so that a browser may hide headers of answers. */
export function isForeign(url: URL): boolean {
  const { origin } = globalThis as { origin?: unknown }
  return typeof origin === 'string' && origin !== url.origin
}
