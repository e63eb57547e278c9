/** Sends requests: limits how many run at a time, retries failed ones and counts them. */
import { PacklensError } from '../../base/errors.js'
import { checkAborted } from '../../base/waiting.js'
import { Body } from './body.js'
import type { HttpSettings } from './options.js'
import { Slots } from './slots.js'
import { Stalled, sleep, Watch } from './watch.js'

/** The answer is unusable, but a retry may succeed. */
export class Broken {
  readonly error: PacklensError
  /** How long to wait before the retry, in milliseconds. */
  readonly after: number

  constructor(error: PacklensError, after = 0) {
    this.error = error
    this.after = after
  }
}

export interface HttpRequest {
  readonly method?: 'HEAD'
  /** The value of the header `Range`. */
  readonly range?: string
  readonly signal?: AbortSignal | undefined
}

/** Converts an answer to a result. May throw {@link Broken}. */
export type Take<T> = (response: Response, body: Body) => Promise<T>

/** Statuses of a server that is too busy, or does not work at the moment. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])

/** Statuses that a file server answers with and that `take` handles. */
const ANSWERS = new Set([200, 206, 404, 410, 416])

/**
 * The longest wait before a retry, in milliseconds. If `Retry-After` is longer, the request
 * fails at once.
 */
const LONGEST_PAUSE = 10_000

export class Client {
  readonly settings: HttpSettings
  requests = 0
  readonly #slots: Slots
  readonly #watches = new Set<Watch>()
  readonly #closing = new AbortController()
  #receivedBytes = 0

  constructor(settings: HttpSettings) {
    this.settings = settings
    this.#slots = new Slots(settings.inFlight)
  }

  get receivedBytes(): number {
    return this.#receivedBytes
  }

  /**
   * Sends a request until it is answered, or the tries are used up.
   *
   * @throws `NETWORK`, `ABORTED`, and what `take` throws
   */
  async ask<T>(url: URL, request: HttpRequest, take: Take<T>): Promise<T> {
    const { tries, pause } = this.settings
    const longest = Math.max(pause, LONGEST_PAUSE)
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#slots.use(() => this.#attempt(url, request, take))
      } catch (failure) {
        if (!(failure instanceof Broken)) throw failure
        if (attempt >= tries || failure.after > longest) throw failure.error
        const wait = Math.max(pause * 2 ** (attempt - 1), failure.after)
        await sleep(Math.min(wait, longest), request.signal, this.#closing.signal)
      }
    }
  }

  /** Ends all requests. */
  close(): void {
    this.#closing.abort()
    for (const watch of this.#watches) watch.end(closedError())
  }

  async #attempt<T>(url: URL, request: HttpRequest, take: Take<T>): Promise<T> {
    checkAborted(request.signal)
    if (this.#closing.signal.aborted) throw closedError()
    const watch = new Watch(this.settings, request.signal)
    this.#watches.add(watch)
    let body: Body | undefined
    try {
      this.requests++
      const response = await watch.until(this.#send(url, request, watch.signal))
      watch.answered()
      body = new Body(response, watch, (bytes) => {
        this.#receivedBytes += bytes
      })
      checkStatus(response, url)
      return await take(response, body)
    } catch (error) {
      if (error instanceof Broken || error instanceof PacklensError) throw error
      throw new Broken(connectionError(error, url, this.settings))
    } finally {
      watch.over()
      this.#watches.delete(watch)
      body?.discard()
    }
  }

  async #send(url: URL, { method, range }: HttpRequest, signal: AbortSignal): Promise<Response> {
    // A range of compressed bytes is not the range of the file. Browsers set this themselves.
    const headers: Record<string, string> = { 'Accept-Encoding': 'identity' }
    if (range !== undefined) headers.Range = range
    return this.settings.fetch(url.href, {
      method: method ?? 'GET',
      headers,
      signal,
      // An HTTP cache may have ranges of two versions, and serializes the requests for a
      // file. packlens keeps the bytes in memory itself.
      cache: 'no-store',
    })
  }
}

function checkStatus({ status, headers }: Response, url: URL): void {
  if (ANSWERS.has(status)) return
  const details = { status, subject: plain(url) }
  if (PASSING.has(status)) {
    const after = retryAfter(headers)
    const when = after > 0 ? `after ${dateAfter(after)}` : 'later'
    const what = `the server answered ${status}: try again ${when}`
    throw new Broken(new PacklensError('NETWORK', what, details), after)
  }
  const refused = status === 401 || status === 403 || status === 407
  const advice = refused
    ? ': give `http.fetch` that adds credentials'
    : ', without the file: check the address'
  throw new PacklensError('NETWORK', `the server answered ${status}${advice}`, details)
}

/** Returns the milliseconds of `Retry-After`, which has seconds or a date; 0 without it. */
function retryAfter(headers: Headers): number {
  const value = headers.get('Retry-After') ?? ''
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return wait > 0 ? wait : 0
}

/** The latest time that a `Date` can represent. */
const LAST_DATE = 8.64e15

function dateAfter(milliseconds: number): string {
  return new Date(Math.min(Date.now() + milliseconds, LAST_DATE)).toISOString()
}

function connectionError(error: unknown, url: URL, settings: HttpSettings): PacklensError {
  const what =
    error instanceof Stalled
      ? stalledFor(error, settings)
      : 'the server cannot be reached, or the connection broke: try again later'
  return new PacklensError('NETWORK', what, { subject: plain(url), cause: error })
}

function stalledFor({ silent, bytes, milliseconds }: Stalled, settings: HttpSettings): string {
  const { timeout, minRate } = settings
  if (silent) {
    return `the server sent nothing for ${timeout} ms: try again later, or raise \`http.timeout\``
  }
  const came = `the server sent ${bytes} bytes in ${milliseconds} ms`
  return `${came}, less than ${minRate} a second: try again later, or lower \`http.minRate\``
}

function closedError(): PacklensError {
  return new PacklensError('CLOSED', 'the repository was closed')
}

/** Returns an address for messages, without its query, which may hold a signature. */
export function plain({ origin, pathname }: URL): string {
  return origin + pathname
}
