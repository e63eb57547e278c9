/** Recognises the kind of a file by its bytes, and decides how much of it is shown. */
import type { ObjectInfo, Repository } from 'packlens'
import { errors } from '../words/errors'

/** A blob whose size is known. */
export type SizedBlob = Pick<ObjectInfo, 'oid' | 'size'>

/** The most bytes of a text that are shown at first. */
export const TEXT_LIMIT = 512 << 10
/** The most bytes of a text that can be shown: more would make the page slow. */
export const TEXT_MOST = 16 << 20
export const HEX_LIMIT = 4 << 10
const IMAGE_MOST = 32 << 20

export type Content =
  | {
      readonly type: 'text'
      readonly text: string
      readonly encoding: Encoding
      readonly cut: boolean
    }
  | {
      readonly type: 'image' | 'media' | 'document'
      readonly mime: string
      readonly data: Uint8Array<ArrayBuffer>
    }
  | { readonly type: 'binary'; readonly head: Uint8Array<ArrayBuffer> }
  | { readonly type: 'empty' }

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'unknown'

/** Reads as much of a blob as the page shows at first: in one request, also if its size is unknown. */
export async function readBlob(
  repo: Repository,
  oid: string,
): Promise<{ info: SizedBlob; content: Content }> {
  const { size, head } = await readFirst(repo, oid, TEXT_LIMIT)
  const info = { oid, size }
  return { info, content: await contentOf(repo, info, head) }
}

/** Reads all of a text that can be shown. */
export async function readWhole(repo: Repository, info: SizedBlob): Promise<Content> {
  return contentOf(repo, info, (await readFirst(repo, info.oid, TEXT_MOST)).head)
}

async function contentOf(
  repo: Repository,
  info: SizedBlob,
  head: Uint8Array<ArrayBuffer>,
): Promise<Content> {
  if (info.size === 0) return { type: 'empty' }
  const mime = mimeOf(head)
  if (mime && info.size <= IMAGE_MOST) {
    const data = head.length < info.size ? (await repo.read(info.oid)).data : head
    return { type: kindOf(mime), mime, data }
  }
  if (isBinary(head) && !utf16Of(head)) return { type: 'binary', head: head.subarray(0, HEX_LIMIT) }
  const cut = head.length < info.size
  return { type: 'text', ...decode(head, cut), cut }
}

/** Returns the size of a blob, and its first `limit` bytes; no more are sent to this thread. */
export async function readFirst(
  repo: Repository,
  oid: string,
  limit: number,
): Promise<{ size: number; head: Uint8Array<ArrayBuffer> }> {
  const batch = await repo.readMany([oid], { size: limit + ROW_HEADER })
  for (const row of batch) {
    if (row.type === 'failed') throw row.error
    if ('data' in row) return { size: row.size, head: row.data.subarray(0, limit) }
  }
  // The error of this call names the object.
  await repo.info(oid)
  throw new Error(errors.missing(oid))
}

/** Bytes for the header of a row in a batch. */
const ROW_HEADER = 256

/** Follows git's rule: a binary file has a zero byte near the beginning. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0)
}

/**
 * Returns the type of an image, a sound, a film or a document, by its first bytes. SVG counts as
 * text, because it can hold scripts.
 */
function mimeOf(bytes: Uint8Array): string | null {
  const begins = (...signature: number[]) => signature.every((byte, at) => bytes[at] === byte)
  const ascii = String.fromCharCode(...bytes.subarray(0, 12))
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png'
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (ascii.startsWith('GIF87a') || ascii.startsWith('GIF89a')) return 'image/gif'
  if (ascii.startsWith('RIFF') && ascii.endsWith('WEBP')) return 'image/webp'
  if (ascii.startsWith('BM') && bytes[5] === 0) return 'image/bmp'
  if (begins(0, 0, 1, 0)) return 'image/x-icon'
  if (ascii.startsWith('RIFF') && ascii.endsWith('WAVE')) return 'audio/wav'
  if (ascii.startsWith('OggS')) return 'audio/ogg'
  if (ascii.startsWith('fLaC')) return 'audio/flac'
  if (ascii.startsWith('ID3') || begins(0xff, 0xfb)) return 'audio/mpeg'
  if (begins(0x1a, 0x45, 0xdf, 0xa3)) return 'video/webm'
  if (ascii.slice(4, 8) === 'ftyp') {
    return /^avi[fs]/.test(ascii.slice(8)) ? 'image/avif' : 'video/mp4'
  }
  return ascii.startsWith('%PDF-') ? 'application/pdf' : null
}

function kindOf(mime: string): 'image' | 'media' | 'document' {
  if (mime.startsWith('image/')) return 'image'
  return mime === 'application/pdf' ? 'document' : 'media'
}

/** Returns the byte order of text that begins with a mark of it. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}

/** Decodes text that is not UTF-8 as Latin-1, in which every byte is a character. */
function decode(bytes: Uint8Array, cut: boolean): { text: string; encoding: Encoding } {
  const utf16 = utf16Of(bytes)
  if (utf16) {
    return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16 }
  }
  try {
    // The limit may cut the last character in two, which is no fault of the file.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut })
    return { text, encoding: 'utf-8' }
  } catch {
    return { text: new TextDecoder('latin1').decode(bytes), encoding: 'unknown' }
  }
}
