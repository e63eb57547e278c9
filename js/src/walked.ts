/** What walks over commits list, and how many that is. */

import type { Engine, Pages } from './engine.js'
import { countIn } from './history.js'
import type { ReadOptions } from './object-reader.js'
import { eachPage, eachPageSync } from './pages.js'
import type { LongQuestion } from './protocol.js'
import { EachRow } from './rows.js'

/** Made when the first answer is wanted, which tells what is wrong with it. */
type Request = () => LongQuestion

/** Asked for when the first answer is wanted, which tells what is wrong with the request. */
type Answer = () => Pages

/** Takes a page apart. */
type Items<T> = (page: Uint8Array, oidLength: number) => Iterable<T>

const PAGE = 64 << 10

export function listed<T>(
  engine: Engine,
  begin: Answer,
  items: Items<T>,
  options: ReadOptions,
): AsyncGenerator<T, undefined> {
  const rowsIn = (page: Uint8Array) => items(page, engine.oidLength)
  return new EachRow({ begin, rowsIn, capacity: PAGE, options })
}

/** As {@link listed}, without promises. */
export function* listedSync<T>(
  engine: Engine,
  request: Request,
  items: Items<T>,
  options: ReadOptions,
): Generator<T, undefined> {
  const pages = engine.pages(request())
  engine.expectSync()
  for (const page of eachPageSync(pages, PAGE, options)) yield* items(page, engine.oidLength)
}

export async function counted(pages: Pages, options: ReadOptions): Promise<number> {
  let count = 0
  for await (const page of eachPage(pages, PAGE, options)) count += countIn(page)
  return count
}

/** As {@link counted}, without a promise. */
export function countedSync(engine: Engine, request: LongQuestion, options: ReadOptions): number {
  const pages = engine.pages(request)
  engine.expectSync()
  let count = 0
  for (const page of eachPageSync(pages, PAGE, options)) count += countIn(page)
  return count
}
