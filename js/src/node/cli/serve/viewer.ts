/** The files of the viewer, which is in the package as one archive. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** A file of the viewer, with its media type. */
export interface ViewerFile {
  readonly bytes: Uint8Array
  readonly type: string
}

/** What `scripts/lib/viewer-archive.mjs` writes, compressed by brotli. */
interface Archive {
  readonly texts: Readonly<Record<string, string>>
  /** The modules of the viewer, which are files of the package. */
  readonly modules: Readonly<Record<string, string>>
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  svg: 'image/svg+xml',
}

/** Where the viewer is, and the modules of the package. */
export interface ViewerPlaces {
  readonly archive: URL
  readonly modules: URL
}

/** Returns a function that returns the file of a path; `null` if there is none. */
export function viewerFiles({
  archive,
  modules,
}: ViewerPlaces): (path: string) => ViewerFile | null {
  let read: Archive | undefined
  return (path) => {
    read ??= JSON.parse(`${brotliDecompressSync(readFileSync(archive))}`) as Archive
    const type = `${TYPES[path.slice(path.lastIndexOf('.') + 1)]}; charset=utf-8`
    const text = own(read.texts, path)
    if (text !== undefined) return { bytes: Buffer.from(text), type }
    const module = own(read.modules, path)
    if (module === undefined) return null
    return { bytes: readFileSync(new URL(module, modules)), type: 'application/wasm' }
  }
}

/** Returns a member of a table, not of its prototype. */
function own(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
