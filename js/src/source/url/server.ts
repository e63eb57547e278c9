/** What was learnt of a server, and where it hands out the files of a repository. */
import type { MaybePromise } from '../../maybe.js'
import { Client } from './client.js'
import type { HttpSettings } from './options.js'
import { Instead } from './page.js'

/** Files that are handed out whole instead of by ranges may take this share of the memory. */
const WHOLE_SHARE = 4

export class Server {
  readonly client: Client
  readonly settings: HttpSettings
  /** Whether several ranges may be asked for in one request. */
  multipart: boolean
  #wholeLeft: number
  /** The addresses at which there was a file. */
  readonly #seen = new Set<string>()

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

  /** Notes that there was a file. */
  saw({ href }: URL): void {
    this.#seen.add(href)
  }

  /**
   * Returns what an answer is, `null` for none. What came in place of a file is an error
   * where there must be one; default: where one was seen before. Else the server answers
   * so for what it does not have.
   *
   * @throws `NETWORK`
   */
  async unlessInstead<T>(
    url: URL,
    answer: T | Instead | null,
    mustBe?: () => MaybePromise<boolean>,
  ): Promise<T | null> {
    if (answer instanceof Instead) {
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

/** Tells whether a browser hides headers of answers from there. */
export function isForeign(url: URL): boolean {
  const { origin } = globalThis as { origin?: unknown }
  return typeof origin === 'string' && origin !== url.origin
}
