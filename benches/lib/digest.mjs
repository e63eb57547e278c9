// Digests of answers, which do not depend on the engine.
import { createHash } from 'node:crypto'

/**
 * Parses the output of `cat-file --batch`, of any engine, and
 * passes each object to `take` as its header line and the pieces of its content.
 */
export class BatchReader {
  #head = Buffer.alloc(0)
  /** The remaining bytes of the content; -1 while a line is read. */
  #left = -1
  /** True while the line feed after a content is expected. */
  #closing = false
  #sink

  constructor(sink) {
    this.#sink = sink
  }

  write(chunk) {
    let at = 0
    while (at < chunk.length) {
      if (this.#closing) {
        if (chunk[at] !== 10) throw new Error('no line feed follows the content')
        at += 1
        this.#closing = false
        this.#left = -1
      } else if (this.#left < 0) {
        at = this.#line(chunk, at)
      } else {
        const end = Math.min(at + this.#left, chunk.length)
        this.#sink.content(chunk.subarray(at, end))
        this.#left -= end - at
        at = end
        this.#endIfWhole()
      }
    }
  }

  end() {
    if (this.#left >= 0 || this.#head.length > 0) throw new Error('the answer is cut off')
  }

  /** True between two answers. */
  get between() {
    return this.#left < 0 && this.#head.length === 0
  }

  #line(chunk, at) {
    const newline = chunk.indexOf(10, at)
    const piece = chunk.subarray(at, newline < 0 ? chunk.length : newline)
    this.#head = Buffer.concat([this.#head, piece])
    if (newline < 0) {
      if (this.#head.length > 200) throw new Error('an answer that is no line of cat-file --batch')
      return chunk.length
    }
    const line = this.#head.toString('latin1')
    const [, oid, type, size] = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(line) ?? []
    if (!oid) throw new Error(`not an object: '${line}'`)
    this.#head = Buffer.alloc(0)
    this.#left = Number(size)
    this.#sink.object(oid, type, this.#left)
    this.#endIfWhole()
    return newline + 1
  }

  #endIfWhole() {
    if (this.#left > 0) return
    this.#closing = true
    this.#sink.end()
  }
}

/** Returns the digests of objects: in their order, and in any order. */
export class ObjectsDigest {
  objects = 0
  bytes = 0
  #hash
  #digests = []
  #reader = new BatchReader(this)

  write(chunk) {
    this.#reader.write(chunk)
  }

  get between() {
    return this.#reader.between
  }

  object(oid, type, size) {
    this.objects += 1
    this.bytes += size
    this.#hash = createHash('sha256').update(`${oid} ${type} ${size}\0`)
  }

  content(piece) {
    this.#hash.update(piece)
  }

  end() {
    this.#digests.push(this.#hash.digest())
  }

  result() {
    this.#reader.end()
    const digest = digestOf(this.#digests)
    const anyOrder = digestOf(this.#digests.sort(Buffer.compare))
    return { digest, anyOrder, objects: this.objects, bytes: this.bytes }
  }
}

function digestOf(parts) {
  return createHash('sha256').update(Buffer.concat(parts)).digest('hex')
}

/** Returns the digest of any output. */
export class TextDigest {
  bytes = 0
  #hash = createHash('sha256')

  write(chunk) {
    this.bytes += chunk.length
    this.#hash.update(chunk)
  }

  result() {
    return { digest: this.#hash.digest('hex'), bytes: this.bytes }
  }
}

/** The kinds of answers; each job names one. */
export const answers = {
  bytes: () => new TextDigest(),
  objects: () => new ObjectsDigest(),
}
