/** Lists the entries of a pack index, as `git show-index` does. */

import { hex } from '../base/hex.js'
import type { Engine } from '../engine/engine.js'
import { eachPage } from '../engine/pages.js'
import type { OpenOptions } from '../opening/open.js'
import { checkOptions } from '../options/rules.js'
import { SHOW_INDEX as SHOW_INDEX_OPTIONS } from '../options/tables.js'
import { INDEX_PATH } from '../source/pack-files.js'

/** The options of `showIndex`. */
export type ShowIndexOptions = Pick<OpenOptions, 'memory' | 'objectFormat' | 'worker' | 'signal'>

/** An entry of an index. */
export interface IndexEntry {
  readonly oid: string
  /** The offset of the entry in the pack, in bytes. */
  readonly offset: number
  /** The CRC-32 of the entry; `null` in an index of version 1. */
  readonly crc32: number | null
}

/** The bytes before the id of a row: see `ShowIndex` of the core. */
const HEAD = 16
const PAGE = 256 << 10

export const SHOW_INDEX = { kind: 'showIndex', path: INDEX_PATH } as const

/** Decodes the entries of a page. */
export function* indexEntriesIn(
  page: Uint8Array,
  oidLength: number,
): Generator<IndexEntry, undefined> {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  for (let at = 0; at < page.byteLength; at += HEAD + oidLength) {
    yield {
      oid: hex(page.subarray(at + HEAD, at + HEAD + oidLength)),
      offset: Number(view.getBigUint64(at, true)),
      crc32: view.getUint32(at + 12, true) === 1 ? view.getUint32(at + 8, true) : null,
    }
  }
}

/** Lists the entries of the index that an engine was opened with, and closes the engine. */
export async function* showIndexWith(
  open: () => Promise<Engine>,
  options: ShowIndexOptions,
): AsyncGenerator<IndexEntry, undefined> {
  checkOptions('showIndex', options, SHOW_INDEX_OPTIONS)
  const engine = await open()
  try {
    for await (const page of eachPage(engine.pages(SHOW_INDEX), PAGE, options)) {
      yield* indexEntriesIn(page, engine.oidLength)
    }
  } finally {
    engine.close()
  }
}
