import { PacklensError } from './errors.js'
import type { Ask, AskOptions, Session } from './session.js'
import { Task } from './task.js'

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
  session: Session,
  spec: string,
  options: StreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunkSize = checked(options.chunkSize ?? DEFAULT_CHUNK, 1, MOST_CHUNK, 'chunkSize')
  const { start = 0, end = Number.MAX_SAFE_INTEGER } = options.range ?? {}
  checked(start, 0, Number.MAX_SAFE_INTEGER, 'range.start')
  checked(end, start, Number.MAX_SAFE_INTEGER, 'range.end')
  const input = new TextEncoder().encode(spec)
  const ask: Ask = (glue) => {
    session.input(glue, input)
    return glue.content(session.number, start, end)
  }
  let task: Task | undefined
  const next = async () => {
    try {
      task ??= await Task.start(session, ask, options)
      return await task.fill(chunkSize, (bytes) => bytes.slice(), options)
    } catch (error) {
      task?.end()
      throw error
    }
  }
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    async pull(controller) {
      const chunk = await next()
      if (chunk.byteLength > 0) controller.enqueue(chunk)
      if (!task?.done) return
      task.end()
      controller.close()
    },
    cancel() {
      task?.end()
    },
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

function checked(value: number, least: number, most: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  const what = `\`${name}\` is a whole number from ${least} to ${most}`
  throw new PacklensError('BAD_INPUT', what, { subject: `${value}` })
}
