/** Makes a pack of more than 8 GiB with objects at its ends and at 2^31 and 2^32. */
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ObjectType } from 'packlens'
import {
  deltaThatAppends,
  entryOf,
  indexOf,
  objectId,
  ofsDeltaEntry,
  packHeader,
  type Row,
  refDeltaEntry,
} from './blob-pack.ts'
import { Sparse } from './sparse-file.ts'

/** The expected properties of an object of the pack. */
export interface Known {
  readonly oid: string
  readonly type: ObjectType
  readonly content: Buffer
  readonly offset: number
  readonly deltaDepth: number
  readonly deltaBase: string | null
  /** The offset of the next entry, or of the end of the last one. */
  end: number
}

export const PACK_SIZE = 2 ** 33 + 2 ** 20

/** Makes the pack, its entries at 2^31, 2^32 and 2^33 plus `shift` bytes. */
export function farPack(shift: number) {
  const pieces: [number, Buffer][] = []
  const rows: Row[] = []
  const known: Known[] = []
  const put = (offset: number, entry: Buffer, type: ObjectType, content: Buffer, on?: Known) => {
    const oid = objectId(type, content)
    pieces.push([offset, entry])
    rows.push({ oid, offset, crc: crc32(entry) })
    const deltaBase = on?.oid ?? null
    const deltaDepth = on ? on.deltaDepth + 1 : 0
    const object = { oid, type, content, offset, deltaDepth, deltaBase, end: 0 }
    known.push(object)
    return object
  }
  const whole = (offset: number, type: ObjectType, content: Buffer) =>
    put(offset, entryOf(type, content), type, content)
  const added = (offset: number, text: string, on: Known) => {
    const delta = deltaThatAppends(on.content, Buffer.from(text))
    const content = Buffer.concat([on.content, Buffer.from(text)])
    return { offset, delta, content }
  }
  const ofsDelta = (offset: number, text: string, on: Known) => {
    const { delta, content } = added(offset, text, on)
    return put(offset, ofsDeltaEntry(offset - on.offset, delta), on.type, content, on)
  }
  const refDelta = (offset: number, text: string, on: Known) => {
    const { delta, content } = added(offset, text, on)
    return put(offset, refDeltaEntry(on.oid, delta), on.type, content, on)
  }

  const base = whole(12, 'blob', randomBytes(3000))
  const entryLine = (mode: string, name: string, { oid }: Known) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])

  whole(2 ** 31 + shift, 'blob', randomBytes(80_000))
  const middle = ofsDelta(2 ** 32 + shift, 'over 4 GiB from the other end', base)
  whole(2 ** 32 + shift + 1000, 'blob', randomBytes(80_000))
  whole(2 ** 32 + 2 ** 31 + shift, 'blob', randomBytes(80_000))
  const far = ofsDelta(2 ** 33 + shift, ', and as far again', middle)
  refDelta(2 ** 33 + 1000, 'by its id', base)
  refDelta(9000, 'its base is at the far end', far)
  const tree = whole(5000, 'tree', entryLine('100644', 'far', far))
  const person = 'A U Thor <author@example.com> 1700000000 +0000'
  const message = `tree ${tree.oid}\nauthor ${person}\ncommitter ${person}\n\nfar away\n`
  const commit = whole(2 ** 33 + 2000, 'commit', Buffer.from(message))
  whole(PACK_SIZE - 20 - entryOf('blob', Buffer.from('last')).length, 'blob', Buffer.from('last'))

  known.sort((one, other) => one.offset - other.offset)
  for (const [at, object] of known.entries()) object.end = known[at + 1]?.offset ?? PACK_SIZE - 20
  // Nobody computes the hash of these 8 GiB.
  const sum = randomBytes(20)
  pieces.push([0, packHeader(known.length)], [PACK_SIZE - 20, sum])
  const pack = new Sparse(PACK_SIZE, pieces)
  return { pack, idx: indexOf(rows, sum), known, commit, far }
}
