/** Where the files of a repository are on its server. */
const encoder = new TextEncoder()

export class Place {
  readonly #base: URL

  /** `url` is that of the git directory, with or without a slash at its end. */
  constructor(url: URL) {
    this.#base = new URL(url)
    this.#base.hash = ''
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/'
  }

  get base(): URL {
    return this.#base
  }

  /** The folder of this name inside. */
  inside(name: string): Place {
    return new Place(this.urlOf(`${name}/`))
  }

  /**
   * Returns the address of a file. A path that begins with a slash is one on the
   * same server, and dots lead upwards as in every address; none leads to another
   * server. What the address has behind a question mark goes with every file.
   */
  urlOf(path: string | Uint8Array): URL {
    const encoded = encodePath(typeof path === 'string' ? encoder.encode(path) : path)
    const url = new URL(this.#base)
    url.pathname = encoded.startsWith('/') ? encoded : this.#base.pathname + encoded
    return url
  }
}

/** Writes bytes as they stand in an address; names need not be UTF-8. */
function encodePath(path: Uint8Array): string {
  return Array.from(path, (byte) => {
    const char = String.fromCharCode(byte)
    if (/[A-Za-z0-9\-._~/]/.test(char)) return char
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
