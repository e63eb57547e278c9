/** Opens repositories by their address. */
import type { Candidate } from './opened'

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
