/** Walks commits; other threads help with long walks. */

import { availableParallelism } from 'node:os'
import { isPacklensError } from '../../../base/errors.js'
import type { MaybePromise } from '../../../base/maybe.js'
import type { RevListQuestion } from '../../../base/protocol.js'
import { pagesOf } from '../../../engine/local-pages.js'
import { decodeStats } from '../../../session/stats.js'
import { expectSync } from '../../../session/task.js'
import type { Opened } from '../opening/command.js'

type Use = (page: Uint8Array) => void

/** The size of a page, in bytes. */
const CHUNK = 64 << 10

/** The commits walked before threads help: a new process takes as long to start a thread. */
const WORTH_A_THREAD = 1 << 15

/** The most threads that help: more would have little left to read. */
const MOST_HELPERS = 3

/** The size of the first page that is copied, and how much larger the next ones become. */
const FIRST_COPY = 1 << 11
const GROWTH = 2

/**
 * Passes what a walk lists to `use`, page by page, which may ask the reader other questions. The
 * first pages are small, so that the first commits are shown before the walk ends. If `use` returns
 * false, the walk ends.
 */
export function walkSlowly(
  { reader }: Opened,
  request: RevListQuestion,
  use: (page: Uint8Array) => unknown,
): void {
  const pages = pagesOf(reader.session, request)
  const passed = new Passed(use)
  try {
    for (let size = FIRST_COPY; !pages.done; size = Math.min(size * GROWTH, CHUNK)) {
      const page = expectSync(pages.next(size, {}))
      if (passed.take(page) === false) return
    }
  } catch (error) {
    passed.takeBefore({ reader }, request)
    throw error
  } finally {
    pages.end()
  }
}

/** Passes what a walk lists to `use`, page by page. */
export function walk(opened: Opened, request: RevListQuestion, use: Use): MaybePromise<void> {
  const { session } = opened.reader
  const helpers = helpersIn(opened)
  const pages = pagesOf(session, request)
  const passed = new Passed(use)
  const take = (page: Uint8Array) => {
    passed.take(page)
  }
  const walked = () => decodeStats(session.counters(), 0, undefined).commitsWalked
  const before = walked()
  let goesOn = false
  try {
    while (!pages.done) {
      expectSync(pages.fill(CHUNK, take, {}))
      goesOn = helpers > 0 && !pages.done && walked() - before >= WORTH_A_THREAD
      // Few walks are so long, and other threads take much code.
      if (goesOn) {
        const loaded = import('./walk-together.js')
        return loaded.then(({ walkTogether }) => walkTogether(opened, helpers, pages, take))
      }
    }
  } catch (error) {
    passed.takeBefore(opened, request)
    throw error
  } finally {
    if (!goesOn) pages.end()
  }
}

/** What a walk has passed to a function. */
class Passed {
  readonly #use: (page: Uint8Array) => unknown
  #length = 0
  #isUsing = false

  constructor(use: (page: Uint8Array) => unknown) {
    this.#use = use
  }

  /** Returns what the function returns; nothing for an empty page. */
  take(page: Uint8Array): unknown {
    this.#length += page.byteLength
    if (page.byteLength === 0) return undefined
    this.#isUsing = true
    const answer = this.#use(page)
    this.#isUsing = false
    return answer
  }

  /**
   * Walks again to the object at which a walk failed, and passes what was found before that and was
   * not passed yet: a page that fails is lost.
   */
  takeBefore({ reader }: Pick<Opened, 'reader'>, request: RevListQuestion): void {
    // The function failed, not the walk.
    if (this.#isUsing) return
    const pages = pagesOf(reader.session, request)
    let left = this.#length
    try {
      while (!pages.done) {
        const page = expectSync(pages.next(1, {}))
        const rest = page.subarray(left)
        left = Math.max(left - page.byteLength, 0)
        if (rest.byteLength > 0 && this.#use(rest) === false) return
      }
    } catch (error) {
      // The caller has that of the walk.
      if (!isPacklensError(error)) throw error
    } finally {
      pages.end()
    }
  }
}

/** Returns how many threads may help: none if memory is limited, since each needs its own. */
function helpersIn({ io }: Opened): number {
  return io.env.PACKLENS_MEMORY ? 0 : Math.min(availableParallelism() - 1, MOST_HELPERS)
}
