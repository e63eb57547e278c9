/** Makes a pack of blobs of all sizes, and of delta chains. */
import {
  blobId,
  deltaThatAppends,
  entryOf,
  indexed,
  ofsDeltaEntry,
  packHeader,
} from './blob-pack.ts'
import { bytesFrom, numbersFrom } from './seeded-random.ts'

const LEAST = 100
const LONGEST_CHAIN = 30

/** Makes blobs of 100 bytes to `largest`, most of them small, and chains on one in ten. */
export function mixedPack(largest: number, count: { any: number; small: number }) {
  const random = numbersFrom(2)
  const bytes = bytesFrom(3)
  const entries: Buffer[] = []
  const oids: string[] = []
  let end = packHeader(0).length
  const put = (entry: Buffer, content: Buffer) => {
    entries.push(entry)
    oids.push(blobId(content))
    end += entry.length
  }
  for (let at = 0; at < count.any + count.small; at++) {
    const most = at % (1 + count.small / count.any) < 1 ? largest : 3000
    let content = bytes(Math.floor(LEAST * (most / LEAST) ** random()))
    let offset = end
    put(entryOf('blob', content), content)
    if (random() >= 0.1) continue
    for (let depth = random() * LONGEST_CHAIN; depth > 0; depth--) {
      const added = bytes(1 + Math.floor(random() * 127))
      const entry = ofsDeltaEntry(end - offset, deltaThatAppends(content, added))
      content = Buffer.concat([content, added])
      offset = end
      put(entry, content)
    }
  }
  return indexed(entries, oids)
}
