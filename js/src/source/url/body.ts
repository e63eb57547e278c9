/** The body of an answer, read up to a limit. */
import type { Watch } from './watch.js'

/** The body is longer than its reader allows. */
export class TooLong {}

export class Body {
  readonly #stream: ReadableStream<Uint8Array> | null
  readonly #watch: Watch
  readonly #count: (bytes: number) => void
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined

  constructor(response: Response, watch: Watch, count: (bytes: number) => void) {
    this.#stream = response.body
    this.#watch = watch
    this.#count = count
  }

  /**
   * Reads the whole body, of at most `most` bytes.
   *
   * @throws {@link TooLong}, and the error of a broken connection
   */
  async read(most: number): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array[] = []
    let length = 0
    this.#reader = this.#stream?.getReader()
    while (this.#reader) {
      const { done, value } = await this.#watch.until(this.#reader.read())
      if (done) break
      this.#watch.received(value.byteLength)
      this.#count(value.byteLength)
      length += value.byteLength
      if (length > most) throw new TooLong()
      chunks.push(value)
    }
    return joined(chunks, length)
  }

  /** Cancels the rest of the body. */
  discard(): void {
    const ended = this.#reader ? this.#reader.cancel() : this.#stream?.cancel()
    ended?.catch(() => {})
  }
}

export function joined(chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}
