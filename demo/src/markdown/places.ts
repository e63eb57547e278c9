/** What the links of a Markdown file lead to. */
import type { PathKey } from '../route'
import { encodeKey } from '../route'

export type Target =
  /** A path in the repository. */
  | { readonly type: 'path'; readonly keys: readonly PathKey[] }
  /** A heading of the same file. */
  | { readonly type: 'heading'; readonly slug: string }
  | { readonly type: 'outside'; readonly url: string }

/** Returns `null` for addresses that lead nowhere. `folder` is that of the Markdown file. */
export function targetOf(address: string, folder: readonly PathKey[]): Target | null {
  // Browsers ignore these characters in addresses.
  const plain = address.replaceAll(/[\t\n\r]/g, '').trim()
  if (plain.startsWith('#')) return { type: 'heading', slug: decoded(plain.slice(1)) }
  if (/^(?:https?:)?\/\//i.test(plain) || /^mailto:/i.test(plain)) {
    return { type: 'outside', url: plain.startsWith('//') ? `https:${plain}` : plain }
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(plain)) return null
  const [path = ''] = plain.split(/[?#]/)
  const keys = plain.startsWith('/') ? [] : [...folder]
  for (const name of path.split('/')) {
    if (name === '..' && keys.pop() === undefined) return null
    if (name === '..' || name === '.' || name === '') continue
    keys.push(encodeKey(new TextEncoder().encode(decoded(name))))
  }
  return { type: 'path', keys }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Gives each heading the name that links to it use, as hosts of repositories do. */
export class Slugs {
  readonly #used = new Map<string, number>()

  of(heading: string): string {
    const plain = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .replaceAll(/\s/gu, '-')
    const times = this.#used.get(plain) ?? 0
    this.#used.set(plain, times + 1)
    return times === 0 ? plain : `${plain}-${times}`
  }
}
