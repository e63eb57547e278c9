/** Reads long answers a page at a time. */

import type { MaybePromise } from '../base/maybe.js'
import type { AskOptions } from '../session/session.js'
import { inOneTurn } from '../session/session.js'
import { expectSync } from '../session/task.js'
import type { Pages } from './engine.js'

export interface PageOptions extends AskOptions {
  readonly lend?: boolean | undefined
}

/** Returns the pages of a long answer, each made when it is requested; then ends the answer. */
export async function* eachPage(
  pages: Pages,
  capacity: number,
  options: PageOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  try {
    while (!pages.done) yield await nextPage(pages, capacity, options)
  } finally {
    pages.end()
  }
}

/** As {@link eachPage}, without promises. */
export function* eachPageSync(
  pages: Pages,
  capacity: number,
  options: PageOptions,
): Generator<Uint8Array<ArrayBuffer>, undefined> {
  try {
    const asked = { ...inOneTurn(options), lend: options.lend }
    while (!pages.done) yield expectSync(nextPage(pages, capacity, asked))
  } finally {
    pages.end()
  }
}

/** Requests the next page. */
export function nextPage(
  pages: Pages,
  capacity: number,
  options: PageOptions,
): MaybePromise<Uint8Array<ArrayBuffer>> {
  return options.lend ? pages.lend(capacity, options) : pages.next(capacity, options)
}

export function joined(pieces: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    out.set(piece, at)
    at += piece.byteLength
  }
  return out
}
