/** How a repository is read from a server. */

import type { RequestInit, Response } from '../../platform-types.js'

/** What sends a request: `fetch`, or what stands for it. */
export type HttpFetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * How a repository is read from a server.
 *
 * ```ts
 * const repo = await open('https://example.org/project.git', {
 *   http: {
 *     fetch: (url, init) => {
 *       const headers = new Headers(init.headers)
 *       headers.set('Authorization', `Bearer ${token}`)
 *       return fetch(url, { ...init, headers })
 *     },
 *   },
 * })
 * ```
 */
export interface HttpOptions {
  /**
   * Sends the requests: to add credentials, or to sign addresses. It must hand
   * on `init.headers` and obey `init.signal`. Default: `fetch`.
   */
  readonly fetch?: HttpFetch | undefined
  /**
   * The most bytes that may lie between two ranges that are asked for together:
   * those between are read as well. Default 16 KiB.
   */
  readonly gap?: number | undefined
  /** How many requests are under way at most. Default 6. */
  readonly inFlight?: number | undefined
  /** How many milliseconds may pass without a byte before a request is given up. Default 30,000. */
  readonly timeout?: number | undefined
  /**
   * How many bytes a second an answer must bring at least. One that is slower is given
   * up once that has cost it `timeout`: so an answer of n bytes takes no longer than
   * `timeout` and n / `minRate` seconds together. 0: any rate will do. Default 256,
   * less than each of six requests gets of a modem's 14,400 bits a second.
   */
  readonly minRate?: number | undefined
  /** How often a request that fails is sent in all. Default 3. */
  readonly tries?: number | undefined
  /**
   * Milliseconds before the second try, twice as many before each further one,
   * more if the server asks for it. Default 250.
   */
  readonly pause?: number | undefined
  /**
   * Whether several ranges may be asked for in one request. Default yes, where
   * that needs no leave of another origin.
   */
  readonly multipart?: boolean | undefined
  /**
   * Whether objects are read from where `objects/info/http-alternates` or `alternates` say
   * that more are. These name any path of the same server, and requests there are sent like
   * all others, credentials included. Default yes, as git does.
   */
  readonly alternates?: boolean | undefined
}

/** @internal All of it, as it is in force. */
export type HttpSettings = { readonly [K in keyof HttpOptions]-?: NonNullable<HttpOptions[K]> }

export function settingsOf(options: HttpOptions = {}): HttpSettings {
  return {
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    gap: options.gap ?? 16 << 10,
    inFlight: options.inFlight ?? 6,
    timeout: options.timeout ?? 30_000,
    minRate: options.minRate ?? 256,
    tries: options.tries ?? 3,
    pause: options.pause ?? 250,
    multipart: options.multipart ?? true,
    alternates: options.alternates ?? true,
  }
}
