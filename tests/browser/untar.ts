/** Extracts a tar archive of the `ustar` format. */
export type Bytes = Uint8Array<ArrayBuffer>

const BLOCK = 512

export function untar(archive: Bytes): Map<string, Bytes> {
  const files = new Map<string, Bytes>()
  for (let at = 0; archive[at]; ) {
    const field = (start: number, length: number) => {
      const bytes = archive.subarray(at + start, at + start + length)
      const end = bytes.indexOf(0)
      return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end))
    }
    const size = Number.parseInt(field(124, 12), 8)
    const prefix = field(345, 155)
    const name = (prefix && `${prefix}/`) + field(0, 100)
    const start = at + BLOCK
    if (field(156, 1) === '0') files.set(name, archive.slice(start, start + size))
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}
