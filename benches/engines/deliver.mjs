// The output of engines in JavaScript: discarded during a timed run,
// written to standard output during a check.

const { writeSync } = process.getBuiltinModule('node:fs')

/** Counts the output, so that a timed run that delivers less is noticed. */
export class Tally {
  objects = 0
  bytes = 0

  /** Delivers an object; `first` and `last` are false for the middle of one in pieces. */
  object(_row, data, first = true) {
    if (first) this.objects += 1
    this.bytes += data.byteLength
  }

  text(text) {
    this.bytes += typeof text === 'string' ? Buffer.byteLength(text) : text.byteLength
  }
}

const GATHERED = 1 << 20

/** Writes the format of `cat-file --batch`. */
export class Output {
  checks = true
  #gathered = Buffer.allocUnsafe(GATHERED)
  #filled = 0

  object(row, data, first = true, last = true) {
    if (first) this.text(`${row.oid} ${row.type} ${row.size}\n`)
    this.text(data)
    if (last) this.text('\n')
  }

  text(text) {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    if (this.#filled + bytes.byteLength > GATHERED) this.flush()
    if (bytes.byteLength > GATHERED) return writeAll(bytes)
    this.#gathered.set(bytes, this.#filled)
    this.#filled += bytes.byteLength
  }

  flush() {
    writeAll(this.#gathered.subarray(0, this.#filled))
    this.#filled = 0
  }
}

const clock = new Int32Array(new SharedArrayBuffer(4))

/** A worker of Node makes the pipe non-blocking. */
function writeAll(bytes) {
  for (let at = 0; at < bytes.byteLength; ) {
    try {
      at += writeSync(1, bytes, at)
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      Atomics.wait(clock, 0, 0, 1)
    }
  }
}
