/** Lists the objects of a pack in stored order, from its index: see gitformat-pack(5). */

/** The bytes of the magic number, the version and the fan-out table. */
const HEAD = 8 + 1024
const MAGIC = 0xff744f63
/** The bit of an offset that is a row in the table of 8-byte offsets. */
const LONG = 2 ** 31

export class PackOrder {
  readonly count: number
  readonly #bytes: DataView
  readonly #idLength: number
  readonly #sorted: Float64Array

  private constructor(bytes: DataView, idLength: number) {
    this.#bytes = bytes
    this.#idLength = idLength
    this.count = bytes.getUint32(HEAD - 4)
    this.#sorted = Float64Array.from({ length: this.count }, (_, at) => this.#offsetAt(at)).sort()
  }

  /** Returns `null` for an index of another version, or a truncated one. */
  static async read(index: Blob): Promise<PackOrder | null> {
    const bytes = new DataView(await index.arrayBuffer())
    if (bytes.byteLength < HEAD || bytes.getUint32(0) !== MAGIC || bytes.getUint32(4) !== 2) {
      return null
    }
    const count = bytes.getUint32(HEAD - 4)
    const fits = (idLength: number) =>
      bytes.byteLength >= HEAD + count * (idLength + 8) + 2 * idLength
    return fits(32) ? new PackOrder(bytes, 32) : fits(20) ? new PackOrder(bytes, 20) : null
  }

  /** Returns the ids of the objects from position `from` to before `to`, in stored order. */
  ids(from: number, to: number): string[] {
    const first = this.#sorted[from] ?? Number.POSITIVE_INFINITY
    const end = this.#sorted[to] ?? Number.POSITIVE_INFINITY
    const found: [offset: number, id: string][] = []
    for (let at = 0; at < this.count; at++) {
      const offset = this.#offsetAt(at)
      if (offset >= first && offset < end) found.push([offset, this.#idAt(at)])
    }
    return found.sort(([one], [other]) => one - other).map(([, id]) => id)
  }

  #idAt(at: number): string {
    const start = this.#bytes.byteOffset + HEAD + at * this.#idLength
    const bytes = new Uint8Array(this.#bytes.buffer, start, this.#idLength)
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }

  #offsetAt(at: number): number {
    const short = HEAD + this.count * (this.#idLength + 4)
    const offset = this.#bytes.getUint32(short + at * 4)
    if (offset < LONG) return offset
    const row = short + this.count * 4 + (offset - LONG) * 8
    // A missing row is ignored here: packlens reports the damage when it reads the pack.
    return row + 8 <= this.#bytes.byteLength ? Number(this.#bytes.getBigUint64(row)) : offset
  }
}
