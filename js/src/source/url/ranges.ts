/**
 * Collects the ranges of a file that are needed in one turn of the event loop, joins those that
 * are close together, and requests them.
 */
import { onAbort } from '../../base/on-abort.js'
import type { Span } from './content-range.js'
import type { Bytes } from './transfer.js'
import { nextTurn } from './turn.js'

/** The longest range that is joined across a gap, in bytes; overlapping reads may be longer. */
const LONGEST = 4 << 20

/** The most ranges of one request, because servers refuse requests of very many. */
const MOST_RANGES = 16

interface Read extends Span {
  readonly signal: AbortSignal | undefined
  readonly resolve: (bytes: Bytes) => void
  readonly reject: (error: unknown) => void
}

/** A range, and the reads that it answers. */
interface Joined extends Span {
  readonly reads: Read[]
}

/** Requests ranges, sorted by offset; only one at a time unless `several` returns true. */
export type SendFor = (spans: readonly Span[], signal: AbortSignal) => Promise<readonly Bytes[]>

export class Ranges {
  readonly #send: SendFor
  readonly #gap: number
  readonly #several: () => boolean
  #reads: Read[] = []

  /** @param several returns whether one request may have more than one range. */
  constructor(send: SendFor, gap: number, several: () => boolean) {
    this.#send = send
    this.#gap = gap
    this.#several = several
  }

  read(span: Span, signal: AbortSignal | undefined): Promise<Bytes> {
    return new Promise((resolve, reject) => {
      if (this.#reads.length === 0) nextTurn(() => this.#sendAll())
      this.#reads.push({ ...span, signal, resolve, reject })
    })
  }

  #sendAll(): void {
    const joined = join(this.#reads, this.#gap)
    this.#reads = []
    const most = this.#several() ? MOST_RANGES : 1
    for (let at = 0; at < joined.length; at += most) this.#sendSome(joined.slice(at, at + most))
  }

  async #sendSome(joined: readonly Joined[]): Promise<void> {
    const reads = joined.flatMap((range) => range.reads)
    const ending = new AbortController()
    const endIfAborted = () => {
      if (reads.every(({ signal }) => signal?.aborted)) ending.abort(reads[0]?.signal?.reason)
    }
    const forgets = reads.map(({ signal }) => onAbort(signal, endIfAborted))
    endIfAborted()
    try {
      const ranges = await this.#send(joined, ending.signal)
      joined.forEach(({ start, reads }, at) => {
        for (const read of reads) {
          const bytes = ranges[at]?.subarray(read.start - start, read.end - start)
          read.resolve(bytes ?? new Uint8Array())
        }
      })
    } catch (error) {
      for (const read of reads) read.reject(error)
    } finally {
      for (const forget of forgets) forget()
    }
  }
}

function join(reads: readonly Read[], gap: number): Joined[] {
  const sorted = [...reads].sort((a, b) => a.start - b.start || a.end - b.end)
  const joined: { start: number; end: number; reads: Read[] }[] = []
  for (const read of sorted) {
    const last = joined[joined.length - 1]
    const end = Math.max(last?.end ?? 0, read.end)
    const touches = last !== undefined && read.start <= last.end
    const isNear = last && read.start - last.end <= gap && end - last.start <= LONGEST
    if (last && (touches || isNear)) {
      last.end = end
      last.reads.push(read)
    } else {
      joined.push({ start: read.start, end: read.end, reads: [read] })
    }
  }
  return joined
}
