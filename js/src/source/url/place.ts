/** The URLs of a repository's files on a server. */
const encoder = new TextEncoder()

export class Place {
  readonly #base: URL

  /** @param url is that of the git directory, with or without a trailing slash. */
  constructor(url: URL) {
    this.#base = new URL(url)
    this.#base.hash = ''
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/'
  }

  get base(): URL {
    return this.#base
  }

  /** Returns the place of a folder inside this one. */
  inside(name: string): Place {
    return new Place(this.urlOf(`${name}/`))
  }

  /**
   * Returns the URL of a file. A path that begins with a slash starts at the root of the server,
   * and `..` leads upwards as in every URL; no path leads to another server. The query of the
   * repository's URL is part of the URL of every file.
   */
  urlOf(path: string | Uint8Array): URL {
    const encoded = encodePath(typeof path === 'string' ? encoder.encode(path) : path)
    const url = new URL(this.#base)
    url.pathname = encoded.startsWith('/') ? encoded : this.#base.pathname + encoded
    return url
  }
}

/** Percent-encodes the bytes of a path, which need not be UTF-8. */
function encodePath(path: Uint8Array): string {
  return Array.from(path, (byte) => {
    const char = String.fromCharCode(byte)
    if (/[A-Za-z0-9\-._~/]/.test(char)) return char
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
