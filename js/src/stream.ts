import type { Engine } from './engine.js'
import { PacklensError } from './errors.js'
import type { AskOptions } from './session.js'

/** What {@link Repository.stream} takes. */
export interface StreamOptions extends AskOptions {
  /** The most bytes of a chunk. Default 32 KiB. */
  readonly chunkSize?: number | undefined
  /** The bytes that are wanted, `end` not included. Default: all. */
  readonly range?: { readonly start?: number; readonly end?: number } | undefined
}

const DEFAULT_CHUNK = 32 << 10
const MOST_CHUNK = 64 << 20

/** Opens the content of an object; nothing is read before the first pull. */
export function contentStream(
  engine: Engine,
  spec: string,
  options: StreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunkSize = checked(options.chunkSize ?? DEFAULT_CHUNK, 1, MOST_CHUNK, 'chunkSize')
  const { start = 0, end = Number.MAX_SAFE_INTEGER } = options.range ?? {}
  checked(start, 0, Number.MAX_SAFE_INTEGER, 'range.start')
  checked(end, start, Number.MAX_SAFE_INTEGER, 'range.end')
  const pages = engine.pages({ kind: 'content', spec, start, end })
  const next = async () => {
    try {
      return await pages.next(chunkSize, options)
    } catch (error) {
      pages.end()
      throw error
    }
  }
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      const chunk = await next()
      if (chunk.byteLength > 0) controller.enqueue(chunk)
      if (!pages.done) return
      pages.end()
      controller.close()
    },
    cancel() {
      pages.end()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

function checked(value: number, least: number, most: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  const what = `\`${name}\` is a whole number from ${least} to ${most}`
  throw new PacklensError('BAD_INPUT', what, { subject: `${value}` })
}
