import { Uri } from 'vscode'

/** What the files of one workspace folder are: those of a revision of a repository. */
export interface Address {
  /** The URL of a bare repository on a server, or the URI of a folder that VS Code can read. */
  readonly repository: string
  readonly revision: string
}

/** Returns the URI of a path; its authority is the address, in digits and small letters. */
export function uriOf({ repository, revision }: Address, path = ''): Uri {
  const bytes = new TextEncoder().encode(JSON.stringify([repository, revision]))
  const authority = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return Uri.from({ scheme: 'packlens', authority, path: `/${path}` })
}

/** Returns the address in the authority of a URI. */
export function addressOf(authority: string): Address {
  const bytes = Uint8Array.from(authority.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const [repository, revision] = JSON.parse(new TextDecoder().decode(bytes))
  return { repository, revision }
}
