import { PacklensError } from '../base/errors.js'
import type { ReadableBytes } from '../base/platform-types.js'
import type { Engine } from '../engine/engine.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { RANGE, STREAM } from '../options/tables.js'
import type { AskOptions } from '../session/session.js'

/** The options of {@link Repository.stream}. */
export interface StreamOptions extends AskOptions {
  /** The most bytes of a chunk. Default: 32 KiB. */
  readonly chunkSize?: number | undefined
  /** The range of bytes to read, `end` excluded. Default: all. */
  readonly range?: { readonly start?: number; readonly end?: number } | undefined
}

const DEFAULT_CHUNK = 32 << 10

/** Opens the content of an object; nothing is read before the first pull. */
export function contentStream(
  engine: Engine,
  spec: string,
  options: StreamOptions,
): ReadableBytes<Uint8Array<ArrayBuffer>> {
  checkArgument('stream', 'the revision', spec, text)
  checkOptions('stream', options, STREAM)
  checkOptions('stream', options.range ?? {}, RANGE, 'range.')
  const { chunkSize = DEFAULT_CHUNK, range = {} } = options
  const { start = 0, end } = range
  if (end !== undefined && end < start) {
    const what = '`range.end` of `stream` must be at least `range.start`'
    throw new PacklensError('BAD_INPUT', what, { subject: `${end}` })
  }
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
