/** A pack of many small blobs, stored as they are. */

const encoder = new TextEncoder()

export async function manyBlobs(count: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: BlobPart[] = [encoder.encode('PACK'), words(2, count)]
  for (let at = 0; at < count; at++) pieces.push(entryOf(encoder.encode(`blob ${at}\n`)))
  const body = await new Blob(pieces).arrayBuffer()
  const sum = await crypto.subtle.digest('SHA-1', body)
  return new Uint8Array(await new Blob([body, sum]).arrayBuffer())
}

/** A blob of 16 bytes to 2 KB: its size in 4 bits and then 7, and a zlib stream of one block. */
function entryOf(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = content
  const low = 0x30 | (length & 15)
  const head = length < 16 ? [low] : [low | 0x80, length >> 4]
  const block = [0x78, 1, 1, length & 255, length >> 8, ~length & 255, (~length >> 8) & 255]
  const entry = new Uint8Array(head.length + block.length + length + 4)
  entry.set([...head, ...block])
  entry.set(content, head.length + block.length)
  entry.set(words(adler(content)), entry.length - 4)
  return entry
}

function adler(bytes: Uint8Array): number {
  let [low, high] = [1, 0]
  for (const byte of bytes) {
    low = (low + byte) % 65_521
    high = (high + low) % 65_521
  }
  return high * 65_536 + low
}

/** Numbers of 4 bytes, high ones first. */
function words(...numbers: number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * numbers.length))
  for (const [at, number] of numbers.entries()) view.setUint32(4 * at, number)
  return new Uint8Array(view.buffer)
}
