/**
 * Reads the commits of a history a page at a time: lists ids as `revList` does, and reads
 * these commits as `readMany` does.
 */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import { encodeSpecs } from '../base/specs.js'
import type { BatchPlace, CommitObject, ObjectRow } from '../base/types.js'
import type { BatchAnswer, Pages, PathOf } from '../engine/engine.js'
import { joined } from '../engine/pages.js'
import { decodeRows } from '../objects/frame.js'
import { makeObject } from '../objects/object.js'
import type { QuestionOptions } from '../session/session.js'
import { sharedWalk } from './commit-walks.js'
import type { RevListOptions } from './history.js'
import { idsIn, revListRequest } from './history.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

type Bytes = Uint8Array<ArrayBuffer>

/** The most bytes of commits in a page, as in a batch; a larger commit takes several pages. */
const PAGE = 8 << 20

/**
 * The number of commits that are listed for a page, at first and at most; it doubles with each
 * page. The first page is small, because a caller that shows a history begins with its newest
 * commits and often needs no others.
 */
const FEWEST = 32
const MOST = 512

/** Returns the commits that `revList` lists, in its order. */
export function log(
  context: RepositoryContext,
  specs: string | Iterable<string>,
  options: RevListOptions,
): Listing<CommitObject> {
  let pages: CommitPages
  const begin = () => {
    pages = new CommitPages(context, sharedWalk(context, revListRequest('log', specs, options)))
    return pages
  }
  const rowsIn = (page: Bytes) => pages.commitsIn(page)
  return { begin, rowsIn, capacity: PAGE, options }
}

/** Pages of rows: the commits that the pages of a walk list. */
class CommitPages implements Pages {
  readonly #context: RepositoryContext
  readonly #walk: Pages
  #count = FEWEST
  /** The commits of the last page of the walk: their ids, and the ids as encoded specs. */
  #ids: readonly string[] = []
  #specs = new Uint8Array()
  /** The pieces, so far, of a commit that is larger than a page. */
  readonly #pieces: Bytes[] = []
  /** The position in `#specs` to resume at; `null` after the last commit. */
  #next: BatchPlace | null = null
  pathOf: PathOf = () => undefined

  constructor(context: RepositoryContext, walk: Pages) {
    this.#context = context
    this.#walk = walk
  }

  get done(): boolean {
    return this.#walk.done && this.#next === null
  }

  next(capacity: number, options: QuestionOptions): MaybePromise<Bytes> {
    if (this.#next) return this.#read(this.#next, capacity, options)
    const { oidLength } = this.#context.engine
    // The walk lists each id as a line of hex digits.
    const page = this.#walk.next(this.#count * (2 * oidLength + 1), options)
    this.#count = Math.min(2 * this.#count, MOST)
    return whenReady(page, (page) => {
      if (page.byteLength === 0) return page
      this.#ids = [...idsIn(page, oidLength)]
      this.#specs = encodeSpecs(this.#ids)
      return this.#read({ index: 0, skip: 0 }, capacity, options)
    })
  }

  lend(capacity: number, options: QuestionOptions): MaybePromise<Bytes> {
    return this.next(capacity, options)
  }

  end(): void {
    this.#walk.end()
  }

  /** Returns the commits that end in a page. */
  *commitsIn(page: Bytes): Generator<CommitObject, undefined> {
    for (const row of decodeRows(page, this.#context.engine.oidLength, this.pathOf)) {
      if (row.type === 'failed') throw row.error
      if (row.type !== 'commit') {
        const what = 'a commit of the history is missing'
        throw new PacklensError('NOT_FOUND', what, { subject: this.#ids[row.index] })
      }
      const commit = this.#whole(row)
      if (commit) yield commit
    }
  }

  /** Returns the commit of a row; `null` until its last piece was read. */
  #whole(row: ObjectRow): CommitObject | null {
    const pieces = this.#pieces
    if (row.more || pieces.length > 0) pieces.push(row.data)
    if (row.more) return null
    if (pieces.length === 0) return row.object() as CommitObject
    const { type, oid, size, deltaDepth } = row
    const data = joined(pieces.splice(0))
    return makeObject({ type, oid, size, deltaDepth, data }) as CommitObject
  }

  #read(start: BatchPlace, capacity: number, options: QuestionOptions): MaybePromise<Bytes> {
    const request = {
      specs: this.#specs,
      fields: { content: true },
      packOrder: false,
      start,
      capacity,
    }
    const taken = ({ bytes, next, pathOf }: BatchAnswer) => {
      this.#next = next
      this.pathOf = pathOf
      return bytes
    }
    return whenReady(this.#context.engine.batch(request, undefined, options), taken)
  }
}
