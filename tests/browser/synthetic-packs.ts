/** Makes packs of small objects, stored without compression. */

const encoder = new TextEncoder()

/** The numbers of types in entries, and their names in objects. */
const TYPES = { commit: 1, blob: 3 } as const
type Type = keyof typeof TYPES

export function manyBlobs(count: number): Promise<Uint8Array<ArrayBuffer>> {
  const contents = Array.from({ length: count }, (_, at) => encoder.encode(`blob ${at}\n`))
  return packOf('blob', contents)
}

/** Makes a chain of commits; returns the pack and their ids, the first one first. */
export async function manyCommits(count: number) {
  const contents: Uint8Array[] = []
  const oids: string[] = []
  for (let at = 0; at < count; at++) {
    const person = `A <a@example.com> ${1_400_000_000 + at} +0000`
    const parent = at === 0 ? '' : `parent ${oids[at - 1]}\n`
    // The empty tree, which the tests do not read.
    const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
    const text = `tree ${tree}\n${parent}author ${person}\ncommitter ${person}\n\n${at}\n`
    const object = encoder.encode(`commit ${text.length}\0${text}`)
    const content = object.subarray(object.length - text.length)
    const id = new Uint8Array(await crypto.subtle.digest('SHA-1', object))
    oids.push(Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join(''))
    contents.push(content)
  }
  return { pack: await packOf('commit', contents), oids }
}

async function packOf(type: Type, contents: readonly Uint8Array[]) {
  const pieces: BlobPart[] = [encoder.encode('PACK'), words(2, contents.length)]
  for (const content of contents) pieces.push(entryOf(type, content))
  const body = await new Blob(pieces).arrayBuffer()
  const sum = await crypto.subtle.digest('SHA-1', body)
  return new Uint8Array(await new Blob([body, sum]).arrayBuffer())
}

/** Returns an entry of 16 bytes to 2 KB: its size in 4 bits and then 7, and a zlib stream of one block. */
function entryOf(type: Type, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { length } = content
  const low = (TYPES[type] << 4) | (length & 15)
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

/** Encodes numbers of 4 bytes, big-endian. */
function words(...numbers: number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4 * numbers.length))
  for (const [at, number] of numbers.entries()) view.setUint32(4 * at, number)
  return new Uint8Array(view.buffer)
}
