/** Specs on their way to the core. */

const encoder = new TextEncoder()

/** The most bytes that a UTF-16 code unit takes in UTF-8. */
const MOST_UTF8 = 3

/** Writes each spec behind its length in 4 bytes, as the core takes them. */
export function encodeSpecs(specs: Iterable<string>): Uint8Array<ArrayBuffer> {
  const texts = Array.from(specs, String)
  const most = texts.reduce((sum, text) => sum + 4 + MOST_UTF8 * text.length, 0)
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
