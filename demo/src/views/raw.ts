/** Opens the bytes of a file in a new tab. */
import type { Content, Encoding } from '../reading/content'

const CHARSETS: Readonly<Record<Encoding, string>> = {
  'UTF-8': 'utf-8',
  'UTF-16, little-endian': 'utf-16le',
  'UTF-16, big-endian': 'utf-16be',
  unknown: 'iso-8859-1',
}

/** Returns the type as which a tab shows a file without running any of it; `null` for other files. */
export function rawTypeOf(content: Content): string | null {
  if (content.type === 'image') return content.mime
  // Also HTML and SVG: the tab would have the origin of this page, so their scripts must not run.
  return content.type === 'text' ? `text/plain;charset=${CHARSETS[content.encoding]}` : null
}

export function openRaw(data: Uint8Array<ArrayBuffer>, type: string): void {
  const url = URL.createObjectURL(new Blob([data], { type }))
  const tab = open(url, '_blank')
  // Revoked later, because the tab may not have read it yet.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  if (tab) tab.opener = null
  else throw new Error('The browser opened no tab: allow this page to, or download the file.')
}
