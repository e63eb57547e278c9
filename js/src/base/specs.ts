/** Encodes specs for the core. */
import { PacklensError } from './errors.js'

const encoder = new TextEncoder()

/** The most bytes that a UTF-16 code unit takes in UTF-8. */
const MOST_UTF8 = 3

/**
 * The most code units of a name: one more than the bytes that the core allows
 * (`Limits::text_size`), so that the core still refuses the name.
 */
const MOST_NAME = (1 << 20) + 1

/** The most code units of a name that is encoded by a loop if it is ASCII; an id has 40 or 64. */
const SHORT = 128

/** The code units from which on a text is long: see {@link mostBytes}. */
const LONG = 4096

/**
 * Encodes specs for the core, each after its length (4 bytes, little-endian).
 *
 * @throws `BAD_INPUT` if one is not a string
 */
export function encodeSpecs(specs: Iterable<string>): Uint8Array<ArrayBuffer> {
  const texts = Array.from(specs, checked)
  if (texts.length === 0) return new Uint8Array(0)
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

/** Encodes one text or several, as {@link encodeSpecs} does. */
export function encodeTexts(given: string | Iterable<string> = []): Uint8Array<ArrayBuffer> {
  return encodeSpecs(typeof given === 'string' ? [given] : given)
}

/** Encodes a name or a revision for the core. */
export function encodeName(name: string): Uint8Array<ArrayBuffer> {
  if (name.length > SHORT) return encoder.encode(cut(name))
  // For an id, the loop takes a third of the time of a call of the encoder.
  const bytes = new Uint8Array(name.length)
  for (let place = 0; place < name.length; place++) {
    const unit = name.charCodeAt(place)
    if (unit > 0x7f) return encoder.encode(name)
    bytes[place] = unit
  }
  return bytes
}

/** Cuts a name that is too long for the core, which refuses it without the rest too. */
function cut(name: string): string {
  return name.length > MOST_NAME ? name.slice(0, MOST_NAME) : name
}

function checked(spec: unknown, at: number): string {
  if (typeof spec === 'string') return cut(spec)
  const what = `revisions and names must be strings; number ${at} is ${typeof spec}`
  throw new PacklensError('BAD_INPUT', what)
}

/**
 * Returns an upper bound of the UTF-8 bytes of a text: a close one for a long text, because
 * three times its length would waste much memory.
 */
function mostBytes(text: string): number {
  if (text.length < LONG) return MOST_UTF8 * text.length
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) bytes += unit > 0x7ff ? 2 : 1
  }
  return bytes
}

/** Encodes specs as {@link encodeSpecs} does, from bytes. */
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

/** Writes a text; returns its bytes. For ASCII, such as ids, no object is allocated. */
function encodeInto(text: string, bytes: Uint8Array<ArrayBuffer>, at: number): number {
  for (let place = 0; place < text.length; place++) {
    const unit = text.charCodeAt(place)
    if (unit > 0x7f) return encoder.encodeInto(text, bytes.subarray(at)).written
    bytes[at + place] = unit
  }
  return text.length
}

/** Encodes paths or patterns, which may be bytes, as the core reads them. */
export function encodeNames(
  names: string | Uint8Array | readonly (string | Uint8Array)[],
): Uint8Array<ArrayBuffer> {
  const all = typeof names === 'string' || names instanceof Uint8Array ? [names] : names
  const encoder = new TextEncoder()
  return joinSpecs(all.map((one) => (typeof one === 'string' ? encoder.encode(one) : one)))
}
