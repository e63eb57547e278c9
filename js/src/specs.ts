/** Specs on their way to the core. */
import { PacklensError } from './errors.js'

const encoder = new TextEncoder()

/** The most bytes that a UTF-16 code unit takes in UTF-8. */
const MOST_UTF8 = 3

/** Code units: one more than the bytes that the core allows a name (`Limits::text_size`). */
const MOST_NAME = (1 << 20) + 1

/** Code units up to which a name is encoded here while it is ASCII: an id has 40 or 64. */
const SHORT = 128

/** Code units of a text that is long. */
const LONG = 4096

/**
 * Writes each spec behind its length in 4 bytes, as the core takes them.
 *
 * @throws `BAD_INPUT` for what is no string
 */
export function encodeSpecs(specs: Iterable<string>): Uint8Array<ArrayBuffer> {
  const texts = Array.from(specs, checked)
  const most = texts.reduce((sum, text) => sum + 4 + mostBytes(text), 0)
  const all = new Uint8Array(most)
  const view = new DataView(all.buffer)
  let at = 0
  for (const text of texts) {
    const length = encodeInto(text, all, at + 4)
    view.setUint32(at, length, true)
    at += 4 + length
  }
  return all.slice(0, at)
}

/** Writes a name, or a revision, as the core takes it. */
export function encodeName(name: string): Uint8Array<ArrayBuffer> {
  if (name.length > SHORT) return encoder.encode(cut(name))
  // An id takes a third of the time that the encoder takes to begin.
  const bytes = new Uint8Array(name.length)
  for (let place = 0; place < name.length; place++) {
    const unit = name.charCodeAt(place)
    if (unit > 0x7f) return encoder.encode(name)
    bytes[place] = unit
  }
  return bytes
}

/** The core looks for no longer name, so that no more of one has to be brought there. */
function cut(name: string): string {
  return name.length > MOST_NAME ? name.slice(0, MOST_NAME) : name
}

function checked(spec: unknown, at: number): string {
  if (typeof spec === 'string') return cut(spec)
  const what = `revisions and names are strings; number ${at} of them is ${typeof spec}`
  throw new PacklensError('BAD_INPUT', what)
}

/** Closer for a long text: three times its length would be much. */
function mostBytes(text: string): number {
  if (text.length < LONG) return MOST_UTF8 * text.length
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1
  }
  return bytes
}

/** As {@link encodeSpecs}, of specs that are bytes. */
export function joinSpecs(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength + 4, 0))
  const view = new DataView(all.buffer)
  let at = 0
  for (const part of parts) {
    view.setUint32(at, part.byteLength, true)
    all.set(part, at + 4)
    at += part.byteLength + 4
  }
  return all
}

/** Returns how many bytes were written; for ids, and most names, no object is made. */
function encodeInto(text: string, bytes: Uint8Array<ArrayBuffer>, at: number): number {
  for (let place = 0; place < text.length; place++) {
    const unit = text.charCodeAt(place)
    if (unit > 0x7f) return encoder.encodeInto(text, bytes.subarray(at)).written
    bytes[at + place] = unit
  }
  return text.length
}
