/** Packs of blobs, as large as a test likes. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** A pack of blobs that are no deltas, and their ids. */
export function packOf(...contents: Uint8Array[]): { pack: Uint8Array; oids: string[] } {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(contents.length)
  const entries = contents.flatMap((content) => [headOf(content.length), deflateSync(content)])
  const body = Buffer.concat([Buffer.from('PACK\0\0\0\x02', 'latin1'), count, ...entries])
  const pack = Buffer.concat([body, createHash('sha1').update(body).digest()])
  return { pack, oids: contents.map(blobId) }
}

/** The head of a blob's entry: its type, and its size in 4 bits and then 7 a byte. */
function headOf(size: number): Buffer {
  const head = [0x30 | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head.push((head.pop() as number) | 0x80, rest % 128)
  }
  return Buffer.from(head)
}

function blobId(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}
