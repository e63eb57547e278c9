/** What the address of the page says about its repository, before `#`. */
import type { Recent } from './recent'

export interface PageAddress {
  /** The address of a repository on a server. */
  readonly url: string | null
  /** The id of a repository that was opened before, in this browser. */
  readonly recent: string | null
}

export function readPageAddress(query: string): PageAddress {
  const fields = new URLSearchParams(query)
  return { url: fields.get('url'), recent: fields.get('recent') }
}

/** Returns the address of the page that shows the repository of a server. */
export function pageOf(url: string): string {
  return `?url=${encodeURIComponent(url)}`
}

/** Makes the address of the page that of a repository; `null` for one that no address can name. */
export function showAddress(opened: Recent | null): void {
  const { url } = readPageAddress(location.search)
  if (opened?.address !== undefined && opened.address === url) return
  const recent = opened?.handle ? `?recent=${opened.id}` : location.pathname
  const query = opened?.address === undefined ? recent : pageOf(opened.address)
  history.replaceState(history.state, '', query + location.hash)
}
