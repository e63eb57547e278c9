/** Opens repositories by their address. */

import { errors } from '../words/errors'
import { first } from '../words/first'
import type { Candidate } from './opened'

/** Returns the source of a repository that a server hands out as files. */
export function addressCandidate(address: string): Candidate {
  const url = parsed(address)
  const [, name] = /([^/]+?)(?:\.git)?\/*$/.exec(url.pathname) ?? []
  return {
    source: url.href,
    name: decodeURIComponent(name ?? url.host),
    about: () => first.fromServer(url.host),
    address: url.href,
  }
}

function parsed(address: string): URL {
  const url = URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI) : null
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new Error(errors.noAddress(address))
}
