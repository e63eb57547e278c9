/** Writes text in the encodings that `TextDecoder` knows: platforms write only UTF-8. */

/** The names of C libraries for encodings that the platform knows by others. */
const ALIASES: Readonly<Record<string, string>> = { eucjp: 'euc-jp', euckr: 'euc-kr' }

/** Returns the name of an encoding as `TextDecoder` takes it. */
export function labelOf(name: string): string {
  return ALIASES[name.toLowerCase().replace(/[-_]/g, '')] ?? name
}

/** Writes text, one character per byte; `null` if a character has no bytes. */
export type Encode = (text: string) => string | null

/** An encoding other than UTF-8, by the name that the platform has for it. */
export interface KnownEncoding {
  readonly label: string
  readonly encode: Encode
}

/** Returns an encoding of few bytes a character; `null` if it is unknown, or UTF-16. */
export function knownEncoding(name: string): KnownEncoding | null {
  const decoder = decoderNamed(name)
  if (!decoder || decoder.encoding.startsWith('utf-')) return null
  let table: ReadonlyMap<string, string> | undefined
  const encode = (text: string) => {
    table ??= tableOf(decoder)
    let bytes = ''
    for (const character of text) {
      const own = table.get(character)
      if (own === undefined) return null
      bytes += own
    }
    return bytes
  }
  return { label: decoder.encoding, encode }
}

function decoderNamed(name: string): TextDecoder | null {
  try {
    return new TextDecoder(labelOf(name), { fatal: true, ignoreBOM: true })
  } catch {
    return null
  }
}

/** Decodes all sequences of one byte and, of bytes that are none alone, of two. */
function tableOf(decoder: TextDecoder): ReadonlyMap<string, string> {
  const table = new Map<string, string>()
  const add = (...bytes: readonly number[]) => {
    try {
      const text = decoder.decode(new Uint8Array(bytes))
      if ([...text].length === 1 && !table.has(text)) table.set(text, String.fromCharCode(...bytes))
      return true
    } catch {
      return false
    }
  }
  const leading = [...Array(256).keys()].filter((byte) => !add(byte))
  for (const lead of leading) for (let byte = 0x30; byte < 0x100; byte++) add(lead, byte)
  // EUC-JP alone has characters of three bytes, all with the same first one.
  if (decoder.encoding === 'euc-jp') {
    for (let row = 0xa1; row < 0xff; row++) {
      for (let cell = 0xa1; cell < 0xff; cell++) add(0x8f, row, cell)
    }
  }
  return table
}
