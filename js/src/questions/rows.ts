/** Iterates over the rows that a long answer lists. */
import type { Pages } from '../engine/engine.js'
import type { PageOptions } from '../engine/pages.js'
import { eachPage, eachPageSync, nextPage } from '../engine/pages.js'

type Page = Uint8Array<ArrayBuffer>

export interface Listing<Row> {
  /** Called when the first row is requested; checks the caller's arguments. */
  readonly begin: () => Pages
  readonly rowsIn: (page: Page, pages: Pages) => Iterable<Row>
  /** The approximate size of a page, in bytes. */
  readonly capacity: number
  readonly options: PageOptions
}

/** Returns the rows of a listing whose source is synchronous. */
export function* eachRow<Row>(
  listing: Listing<Row> | (() => Listing<Row>),
): Generator<Row, undefined> {
  const { begin, rowsIn, capacity, options } = typeof listing === 'function' ? listing() : listing
  const pages = begin()
  for (const page of eachPageSync(pages, capacity, options)) yield* rowsIn(page, pages)
}

/** Returns all rows of a listing. Awaits a promise for each page, none for a row. */
export async function allRows<Row>({
  begin,
  rowsIn,
  capacity,
  options,
}: Listing<Row>): Promise<Row[]> {
  const pages = begin()
  const rows: Row[] = []
  for await (const page of eachPage(pages, capacity, options)) {
    for (const row of rowsIn(page, pages)) rows.push(row)
  }
  return rows
}

/** The iterator of a listing; an `async function*` would make three promises a row, not one. */
export class EachRow<Row> implements AsyncGenerator<Row, undefined> {
  #listing: Listing<Row> | (() => Promise<Listing<Row>>)
  #pages: Pages | undefined
  #rows: Iterator<Row> | undefined
  /** The last call, while it is pending: later calls wait for it. */
  #last: Promise<unknown> | undefined
  #over = false

  constructor(listing: Listing<Row> | (() => Promise<Listing<Row>>)) {
    this.#listing = listing
  }

  next(): Promise<IteratorResult<Row, undefined>> {
    if (this.#last === undefined && this.#rows !== undefined) {
      try {
        const row = this.#rows.next()
        if (!row.done) return Promise.resolve(row)
      } catch (error) {
        this.#end()
        return Promise.reject(error)
      }
    }
    return this.#inTurn(() => this.#next())
  }

  return(value: undefined | PromiseLike<undefined>): Promise<IteratorResult<Row, undefined>> {
    return this.#inTurn(async () => {
      this.#end()
      return { done: true, value: await value }
    })
  }

  throw(error: unknown): Promise<IteratorResult<Row, undefined>> {
    return this.#inTurn(async () => {
      this.#end()
      throw error
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return(undefined)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #next(): Promise<IteratorResult<Row, undefined>> {
    if (this.#over) return { done: true, value: undefined }
    try {
      if (typeof this.#listing === 'function') this.#listing = await this.#listing()
      for (;;) {
        const row = this.#rows?.next()
        if (row && !row.done) return row
        const { begin, rowsIn, capacity, options } = this.#listing
        this.#pages ??= begin()
        if (this.#pages.done) break
        const page = await nextPage(this.#pages, capacity, options)
        this.#rows = rowsIn(page, this.#pages)[Symbol.iterator]()
      }
    } catch (error) {
      this.#end()
      throw error
    }
    this.#end()
    return { done: true, value: undefined }
  }

  #end(): void {
    this.#over = true
    this.#rows = undefined
    this.#pages?.end()
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last
    const done = before === undefined ? work() : before.then(work, work)
    this.#last = done
    try {
      return await done
    } finally {
      if (this.#last === done) this.#last = undefined
    }
  }
}
