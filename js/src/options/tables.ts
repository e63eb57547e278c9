/** The rules of every option of the calls that the reader answers too; of others: `full-tables.ts`. */

import type { LoadOptions } from '../load.js'
import type { OpenOptions } from '../opening/open.js'
import type { StoreOptions } from '../opening/source-store.js'
import type { ShowIndexOptions } from '../packs/show-index.js'
import type { BatchOptions } from '../questions/batch.js'
import type { RevListOptions } from '../questions/history.js'
import type { ReadOptions } from '../questions/reading.js'
import type { ListRefsOptions, PointsAtOptions } from '../questions/ref-answers.js'
import type { StreamOptions } from '../questions/stream.js'
import type { WalkOptions } from '../questions/tree-walk.js'
import type { HttpOptions } from '../source/url/options.js'
import type { Rule, Rules } from './rules.js'
import {
  callback,
  date,
  either,
  flag,
  oneOf,
  path,
  paths,
  record,
  signal,
  text,
  texts,
  treePaths,
  whole,
} from './rules.js'

export const objectFormat = oneOf('sha1', 'sha256')

/** The limits of the option `memory` in bytes. */
export const LEAST_MEMORY = 1 << 20
export const MOST_MEMORY = 3 * 2 ** 30

export const memory = whole(LEAST_MEMORY, MOST_MEMORY)

/** More than 64 workers are taken for a mistake. */
export const workers = whole(0, 64)

/** Timers do not support longer times. */
const milliseconds = (least: number) => whole(least, 2 ** 31 - 1)

export const textList: Rule = {
  what: 'an array of strings',
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
}

const bytes: Rule = {
  what: 'an ArrayBuffer or a Uint8Array',
  fits: (value) => value instanceof ArrayBuffer || value instanceof Uint8Array,
}

const place: Rule = {
  what: '`next` of the batch before: { index, skip }',
  fits(value) {
    const { index, skip } = (value ?? {}) as { readonly index?: unknown; readonly skip?: unknown }
    return whole(0).fits(index) && whole(0).fits(skip)
  },
}

/** Bytes, a compiled module and a response are checked when the module is made of them. */
export const LOAD: Rules<LoadOptions> = {
  wasm: either(text, record),
  rest: either(text, record),
  reader: either(text, record),
  preload: oneOf('reader', 'full'),
  worker: either(text, { what: 'a URL', fits: (value) => value instanceof URL }),
}

export const READ: Rules<ReadOptions> = { signal }

export const WALK: Rules<WalkOptions> = { signal, recursive: flag, trees: flag, sizes: flag }

export const BATCH: Rules<BatchOptions> = {
  signal,
  fields: oneOf('size', 'info', 'content', 'both'),
  into: bytes,
  size: whole(0),
  order: oneOf('asked', 'pack'),
  start: place,
}

export const REV_LIST: Rules<RevListOptions> = {
  signal,
  all: flag,
  path: treePaths,
  pathspec: treePaths,
  firstParent: flag,
  merges: flag,
  minParents: whole(0),
  maxParents: whole(0),
  sinceAsFilter: date,
  author: either(text, textList),
  committer: either(text, textList),
  grep: either(text, textList),
  allMatch: flag,
  invertGrep: flag,
  ignoreCase: flag,
  regexp: oneOf('basic', 'extended', 'fixed'),
  follow: flag,
  fullHistory: flag,
  sparse: flag,
  simplifyMerges: flag,
  simplifyByDecoration: flag,
  showPulls: flag,
  ancestryPath: either(flag, textList),
  excludeFirstParentOnly: flag,
  leftOnly: flag,
  rightOnly: flag,
  cherryPick: flag,
  limit: whole(0),
  skip: whole(0),
  since: date,
  until: date,
  useBitmapIndex: flag,
  order: oneOf('default', 'date', 'topo', 'author-date'),
  reverse: flag,
}

export const STREAM: Rules<StreamOptions> = {
  signal,
  chunkSize: whole(1, 64 << 20),
  range: record,
}

export const RANGE: Rules<NonNullable<StreamOptions['range']>> = { start: whole(0), end: whole(0) }

export const LIST_REFS: Rules<ListRefsOptions> = {
  signal,
  prefix: text,
  pattern: texts,
  peel: flag,
}

export const POINTS_AT: Rules<PointsAtOptions> = { signal, direct: flag }

export const HTTP: Rules<HttpOptions> = {
  fetch: callback,
  gap: whole(0),
  inFlight: whole(1, 1000),
  timeout: milliseconds(1),
  minRate: whole(0),
  tries: whole(1, 100),
  pause: milliseconds(0),
  multipart: flag,
  alternates: flag,
}

export const OPEN: Rules<OpenOptions> = {
  signal,
  memory,
  baseCache: whole(0),
  verify: oneOf('oid', 'crc', 'none'),
  objectFormat,
  http: record,
  worker: flag,
  workers,
  missing: callback,
  onProgress: callback,
  gitDir: path,
  commonDir: path,
  objectDirectory: path,
  alternates: paths,
  replace: flag,
  commitGraph: flag,
}

export const STORE: Rules<StoreOptions> = {
  signal,
  http: record,
  gitDir: path,
  commonDir: path,
  objectDirectory: path,
}

export const SHOW_INDEX: Rules<ShowIndexOptions> = { signal, memory, objectFormat, worker: flag }
