/** Small files, which are read whole. */
import { PacklensError } from '../../base/errors.js'
import type { FilledFile } from '../store.js'
import { isPage, type WrongContent, wrongContent } from './page.js'
import type { Server } from './server.js'
import { nextStamp } from './stamp.js'
import type { Bytes } from './transfer.js'
import { readWhole } from './transfer.js'

/** The most bytes of a small file. */
export const MOST_TEXT = 1 << 20

/**
 * Reads a file whole; `null` if it does not exist.
 *
 * @throws `LIMIT` if it is too large, `NETWORK`, `ABORTED`
 */
export async function readText(
  server: Server,
  url: URL,
  path: string,
  signal?: AbortSignal | undefined,
): Promise<Bytes | null> {
  return server.rejectWrongContent(url, await askText(server, url, path, isNoPage, signal))
}

const isNoPage = (bytes: Bytes) => !isPage(bytes)

/**
 * Reads a file whole, as {@link readText}, but returns a {@link WrongContent} for content that
 * `isRight` rejects.
 */
export function askText(
  server: Server,
  url: URL,
  path: string,
  isRight: (bytes: Bytes) => boolean,
  signal: AbortSignal | undefined,
): Promise<Bytes | WrongContent | null> {
  const target = { url, path, version: undefined }
  return server.client.ask(url, { signal }, async (response, body) => {
    if (response.status !== 200) return null
    const bytes = await readWhole(target, response.headers, body, MOST_TEXT)
    if (bytes) return isRight(bytes) ? bytes : wrongContent(url, response, bytes)
    const what = `the file has more than ${MOST_TEXT} bytes, the limit for files of its kind`
    throw new PacklensError('LIMIT', what, { file: path })
  })
}

/** Returns a file of bytes in memory. */
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
