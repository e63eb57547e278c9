/** Small files, which are read whole. */
import { PacklensError } from '../../errors.js'
import type { FilledFile } from '../store.js'
import { isPage } from './page.js'
import type { Server } from './server.js'
import { nextStamp } from './stamp.js'
import type { Bytes } from './transfer.js'
import { readWhole } from './transfer.js'

/** As large as a small file may be. */
export const MOST_TEXT = 1 << 20

/**
 * Reads a file whole; `null` if there is none.
 *
 * @throws `LIMIT` if it is too large, `NETWORK`, `ABORTED`
 */
export function readText(
  server: Server,
  url: URL,
  path: string,
  signal?: AbortSignal | undefined,
): Promise<Bytes | null> {
  const target = { url, path, version: undefined }
  return server.client.ask(url, { signal }, async ({ status, headers }, body) => {
    if (status !== 200) return null
    const bytes = await readWhole(target, headers, body, MOST_TEXT)
    if (bytes) return isPage(bytes) ? null : bytes
    const what = `a file that should be small has more than ${MOST_TEXT} bytes`
    throw new PacklensError('LIMIT', what, { file: path })
  })
}

/** A file whose bytes are all there. */
export function textFile(bytes: Uint8Array): FilledFile {
  return {
    size: bytes.byteLength,
    stamp: nextStamp(),
    blockSize: MOST_TEXT,
    readInto(offset, target) {
      const from = bytes.subarray(offset, offset + target.byteLength)
      target.set(from)
      return from.byteLength
    },
  }
}
