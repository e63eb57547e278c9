/**
 * Recognises pointers of Git LFS:
 * <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>.
 */
import { text } from '../base/utf8.js'

/** What a pointer of Git LFS says about a file that is kept elsewhere. */
export interface LfsPointer {
  /** The hash of the file with its kind in front: `sha256:` and 64 digits. */
  readonly oid: string
  /** The size of the file in bytes. */
  readonly size: number
}

/** Pointers are shorter, by their specification. */
const LIMIT = 1024

const POINTER =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:ext-[^\n]*\n)*oid (sha256:[0-9a-f]{64})\nsize (\d+)\n$/

/**
 * Returns what a pointer of Git LFS says, if the content of a blob is one, otherwise `null`. The
 * content may be text already.
 *
 * ```ts
 * const { data } = await repo.readBlob('HEAD:film.mp4')
 * const pointer = parseLfsPointer(data)
 * if (pointer) console.log(`${pointer.size} bytes elsewhere: ${pointer.oid}`)
 * ```
 */
export function parseLfsPointer(data: Uint8Array | string): LfsPointer | null {
  if (data.length >= LIMIT) return null
  const [, oid, size] = POINTER.exec(typeof data === 'string' ? data : text(data)) ?? []
  return oid === undefined ? null : { oid, size: Number(size) }
}
