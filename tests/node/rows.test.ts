/** Rows of long answers behave like those of an `async function*`, in any order of calls. */

import { rmSync } from 'node:fs'
import { open } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Pages } from '../../dist/engine/engine.js'
import { EachRow } from '../../dist/questions/rows.js'
import { manyObjects } from './many-objects.ts'
import { codeOf } from './support.ts'

/** Pages with a row for each byte, which arrive a while after the request. */
class Slow {
  readonly calls: string[] = []
  readonly #pages: (number[] | Error)[]

  constructor(...pages: (number[] | Error)[]) {
    this.#pages = pages
  }

  begin = (): Pages => {
    this.calls.push('begin')
    const next = async () => {
      const page = this.#pages.shift() ?? []
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (page instanceof Error) throw page
      this.calls.push(`page of ${page.length}`)
      return new Uint8Array(page)
    }
    const end = () => this.calls.push('end')
    const left = this.#pages
    const pathOf = () => undefined
    return {
      next,
      lend: next,
      end,
      pathOf,
      get done() {
        return left.length === 0
      },
    } as Pages
  }

  rows(): EachRow<number> {
    const rowsIn = (page: Uint8Array) => {
      if (page[0] === 255) throw new Error('no page')
      return page.values()
    }
    return new EachRow({ begin: this.begin, rowsIn, capacity: 10, options: {} })
  }
}

const LAST = { done: true, value: undefined }
const row = (value: number) => ({ done: false, value })

describe('Rows', () => {
  test('are returned one by one across pages, and nothing starts before the first', async () => {
    const pages = new Slow([1, 2], [], [3])
    const rows = pages.rows()
    expect(pages.calls).toEqual([])
    const seen: number[] = []
    for await (const one of rows) seen.push(one)
    expect(seen).toEqual([1, 2, 3])
    expect(pages.calls).toEqual(['begin', 'page of 2', 'page of 0', 'page of 1', 'end'])
    expect(await rows.next()).toEqual(LAST)
  })

  test('are returned in the order of the calls', async () => {
    const rows = new Slow([1, 2], [3]).rows()
    const asked = Array.from({ length: 5 }, () => rows.next())
    expect(await Promise.all(asked)).toEqual([row(1), row(2), row(3), LAST, LAST])
  })

  test('are returned in that order also for calls that are made when a page arrives', async () => {
    const asked: Promise<IteratorResult<number, undefined>>[] = []
    const values = Uint8Array.from({ length: 20 }, (_, at) => at)
    const next = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      const ask = () => {
        asked.push(rows.next())
        if (asked.length < 16) queueMicrotask(ask)
      }
      queueMicrotask(ask)
      return values
    }
    const pages = { next, lend: next, end: () => {}, pathOf: () => undefined, done: false }
    const options = { begin: () => pages, rowsIn: () => values, capacity: 10, options: {} }
    const rows = new EachRow(options)
    asked.push(rows.next(), rows.next(), rows.next())
    await asked[0]
    const seen = await Promise.all(asked)
    expect(seen).toEqual(seen.map((_, at) => row(at)))
  })

  test('`return` does not wait for later calls, and earlier calls get their rows', async () => {
    const pages = new Slow([1, 2], [3])
    const rows = pages.rows()
    const [first, left, behind] = [rows.next(), rows.return(undefined), rows.next()]
    expect(await Promise.all([first, left, behind])).toEqual([row(1), LAST, LAST])
    expect(pages.calls).toEqual(['begin', 'page of 2', 'end'])
    const unbegun = new Slow([1])
    expect(await unbegun.rows().return(undefined)).toEqual(LAST)
    expect(unbegun.calls).toEqual([])
  })

  test('leaving in the middle of a page ends the answer', async () => {
    const pages = new Slow([1, 2], [3])
    for await (const one of pages.rows()) if (one === 1) break
    expect(pages.calls).toEqual(['begin', 'page of 2', 'end'])
    const rows = new Slow([1, 2]).rows()
    await rows.next()
    await expect(rows.throw(new Error('mine'))).rejects.toThrow('mine')
    expect(await rows.next()).toEqual(LAST)
  })

  test('an error is thrown for one row, and is the last', async () => {
    for (const bad of [new Error('no page'), [255]]) {
      const pages = new Slow([1], bad, [2])
      const rows = pages.rows()
      const asked = [rows.next(), rows.next(), rows.next()] as const
      expect(await asked[0]).toEqual(row(1))
      await expect(asked[1]).rejects.toThrow('no page')
      expect(await asked[2]).toEqual(LAST)
      expect(pages.calls.at(-1)).toBe('end')
    }
    const begin = () => {
      throw new Error('no answer')
    }
    const rows = new EachRow({ begin, rowsIn: () => [], capacity: 10, options: {} })
    await expect(rows.next()).rejects.toThrow('no answer')
    expect(await rows.next()).toEqual(LAST)
  })

  test('a row that cannot be decoded ends the answer', async () => {
    const pages = new Slow([1], [2])
    function* rowsIn() {
      yield 1
      throw new Error('no row')
    }
    const rows = new EachRow({ begin: pages.begin, rowsIn, capacity: 10, options: {} })
    expect(await rows.next()).toEqual(row(1))
    await expect(rows.next()).rejects.toThrow('no row')
    expect(pages.calls).toEqual(['begin', 'page of 1', 'end'])
    expect(await rows.next()).toEqual(LAST)
  })
})

describe('A pack of many objects', () => {
  let folder: string
  beforeAll(() => {
    folder = manyObjects(40_000).folder
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('can be left before the headers of all were read', async () => {
    await using repo = await open(folder)
    const control = new AbortController()
    const first = repo.objects({ unordered: true, signal: control.signal }).next()
    control.abort()
    expect(await codeOf(() => first)).toBe('ABORTED')
    let count = 0
    for await (const _ of repo.objects({ unordered: true })) count++
    expect(count).toBe(40_000)
  })
})
