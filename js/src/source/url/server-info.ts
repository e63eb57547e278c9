/**
 * Parses the files that `git update-server-info` writes for dumb servers, and other small files.
 * Their syntax distinguishes them from web pages in their place.
 * <https://git-scm.com/docs/git-update-server-info>
 */
const utf8 = new TextDecoder()

/** Returns whether bytes may be the file `HEAD`. */
export function isHead(bytes: Uint8Array): boolean {
  return /^(ref:\s*\S+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/.test(utf8.decode(bytes))
}

/** Returns whether a `HEAD` is the stub that git writes if the real one is in reftables. */
export function isStub(bytes: Uint8Array): boolean {
  return /^ref:\s*refs\/heads\/\.invalid\s*$/.test(utf8.decode(bytes))
}

/**
 * Returns the hash of the first id of `info/refs`: `none` for an empty file, `null` if the bytes
 * are not of such a file.
 */
export function hashOfRefs(beginning: Uint8Array): 'sha1' | 'sha256' | 'none' | null {
  if (beginning.byteLength === 0) return 'none'
  const id = /^([0-9a-f]+)\t[^\0-\x20]/.exec(utf8.decode(beginning.subarray(0, 80)))?.[1]
  if (id?.length === 40) return 'sha1'
  return id?.length === 64 ? 'sha256' : null
}

/** Returns a `config` with what is needed to read a repository with this hash. */
export function configFor(hash: 'sha1' | 'sha256'): string {
  return `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = ${hash}\n`
}

/** Returns the names of the packs that `objects/info/packs` lists, without file extensions. */
export function packNames(text: string): string[] {
  const names = text.matchAll(/^P (pack-[0-9A-Za-z_-]+)\.pack$/gm)
  return Array.from(names, (match) => match[1] as string)
}

/**
 * Converts `objects/info/http-alternates` to paths on the same server. git allows whole URLs
 * there too; those of other servers are omitted.
 */
export function alternatesFrom(text: string, base: URL): string {
  const paths = text.split('\n').flatMap((line) => {
    if (!/^https?:\/\//i.test(line)) return [line]
    const path = URL.canParse(line) ? pathOn(base, new URL(line)) : null
    return path === null ? [] : [path]
  })
  return paths.join('\n')
}

function pathOn(base: URL, url: URL): string | null {
  if (url.origin !== base.origin) return null
  try {
    return decodeURIComponent(url.pathname)
  } catch {
    return null
  }
}
