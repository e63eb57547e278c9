/**
 * What `git update-server-info` writes for servers that only hand out files,
 * and other small files: told by their syntax from pages that stand for them.
 * <https://git-scm.com/docs/git-update-server-info>
 */
const utf8 = new TextDecoder()

/** Tells whether this may be the file `HEAD`. */
export function isHead(bytes: Uint8Array): boolean {
  return /^(ref:\s*\S+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/.test(utf8.decode(bytes))
}

/** Tells whether a `HEAD` only stands for the one that reftables have. */
export function isStub(bytes: Uint8Array): boolean {
  return /^ref:\s*refs\/heads\/\.invalid\s*$/.test(utf8.decode(bytes))
}

/** Returns the hash whose ids `info/refs` begins with, `null` for what is no such file. */
export function hashOfRefs(beginning: Uint8Array): 'sha1' | 'sha256' | 'none' | null {
  if (beginning.byteLength === 0) return 'none'
  const id = /^([0-9a-f]+)\t[^\0-\x20]/.exec(utf8.decode(beginning.subarray(0, 80)))?.[1]
  if (id?.length === 40) return 'sha1'
  return id?.length === 64 ? 'sha256' : null
}

/** The `config` of a repository whose hash is known, as far as it tells how to read it. */
export function configFor(hash: 'sha1' | 'sha256'): string {
  return `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = ${hash}\n`
}

/** Returns the names of the packs that `objects/info/packs` lists, without endings. */
export function packNames(text: string): string[] {
  const names = text.matchAll(/^P (pack-[0-9A-Za-z_-]+)\.pack$/gm)
  return Array.from(names, (match) => match[1] as string)
}

/**
 * Writes what `objects/info/http-alternates` names as paths on the same server:
 * git has whole addresses there as well. Those of other servers are left out.
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
