/** The options of reading a repository from a server. */

import type { RequestInit, Response } from '../../base/platform-types.js'

/** A function that sends a request, such as `fetch`. */
export type HttpFetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * The options of reading a repository from a server.
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
   * Sends the requests: a function of your own can add credentials or sign URLs. It must pass
   * on `init.headers` and obey `init.signal`. Default: `fetch`.
   */
  readonly fetch?: HttpFetch | undefined
  /**
   * The most bytes between two ranges that are joined to one; the bytes between are read too.
   * Default: 16 KiB.
   */
  readonly gap?: number | undefined
  /** The most requests at a time. Default: 6. */
  readonly inFlight?: number | undefined
  /** The milliseconds without a byte after which a request is given up. Default: 30,000. */
  readonly timeout?: number | undefined
  /**
   * The fewest bytes per second of an answer. A slower answer is given up once it is `timeout`
   * late: an answer of n bytes takes at most `timeout` plus n / `minRate` seconds. 0 allows any
   * rate. Default: 256, less than the share of one of six requests of a modem's 14,400 bits per
   * second.
   */
  readonly minRate?: number | undefined
  /** How often a failing request is sent, the first time included. Default: 3. */
  readonly tries?: number | undefined
  /**
   * The milliseconds before the second try; doubled before each further one, and longer if the
   * server asks for it. Default: 250.
   */
  readonly pause?: number | undefined
  /**
   * Requests several ranges at once. Default: true, but never if that would need a preflight,
   * as it does for another origin.
   */
  readonly multipart?: boolean | undefined
  /**
   * Reads objects from the directories that `objects/info/http-alternates` or `alternates` name
   * too. These can be any paths on the same server; requests for them are sent like all others,
   * with credentials. Default: true, as git does.
   */
  readonly alternates?: boolean | undefined
}

/** @internal All options, with defaults filled in. */
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
