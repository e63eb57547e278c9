/** The version of a file, as far as the server reports it. */
import { PacklensError } from '../../base/errors.js'

export interface Version {
  readonly size: number
  /** The strong ETag, else the value of `Last-Modified`, else an empty string. */
  readonly mark: string
}

export function versionOf(headers: Headers, size: number): Version {
  const etag = headers.get('ETag') ?? ''
  // A weak ETag stands for bytes that mean the same, not for the same bytes.
  const mark = etag.startsWith('"') ? etag : (headers.get('Last-Modified') ?? '')
  return { size, mark }
}

/** @throws `CHANGED` if the two versions differ */
export function checkVersion(known: Version | undefined, now: Version, file: string): void {
  if (!known || (known.size === now.size && known.mark === now.mark)) return
  throw changed(file)
}

export function changed(file: string): PacklensError {
  const what = 'the file changed on the server: open the repository again'
  return new PacklensError('CHANGED', what, { file })
}
