/** Opens repositories by their address, which the address of the page names: `?url=`. */
import type { Candidate } from './opened'

/** Returns the repository that the address of the page names; `null` if it names none. */
export function addressInQuery(query: string): string | null {
  return new URLSearchParams(query).get('url')
}

/** Returns the address of the page that shows a repository. */
export function pageOf(address: string): string {
  return `?url=${encodeURIComponent(address)}`
}

/** Returns the source of a repository that a server hands out as files. */
export function addressCandidate(address: string): Candidate {
  const url = parsed(address)
  const [, name] = /([^/]+?)(?:\.git)?\/*$/.exec(url.pathname) ?? []
  return {
    source: url.href,
    name: decodeURIComponent(name ?? url.host),
    about: `read from ${url.host}, only the parts that are needed`,
    address: url.href,
  }
}

function parsed(address: string): URL {
  const url = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI) : null
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new Error(
    `“${address}” is not an address of a web server. It begins with https:// and leads to the folder of a repository, such as https://example.com/project.git`,
  )
}
