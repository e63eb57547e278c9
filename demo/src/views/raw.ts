/** Opens the bytes of a file in a new tab. */
import type { Content } from '../reading/content'
import { pages } from '../words/pages'

/** Returns the type as which a tab shows a file without running any of it; `null` for other files. */
export function rawTypeOf(content: Content): string | null {
  if (content.type === 'image') return content.mime
  // Also HTML and SVG: the tab would have the origin of this page, so their scripts must not run.
  if (content.type !== 'text') return null
  const { encoding } = content
  return `text/plain;charset=${encoding === 'unknown' ? 'iso-8859-1' : encoding}`
}

export function openRaw(data: Uint8Array<ArrayBuffer>, type: string): void {
  const url = URL.createObjectURL(new Blob([data], { type }))
  const tab = open(url, '_blank')
  // Revoked later, because the tab may not have read it yet.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  if (tab) tab.opener = null
  else throw new Error(pages.noTab)
}
