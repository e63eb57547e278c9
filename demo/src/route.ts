/**
 * Parses and formats the address of a page:
 *
 *   #/main/src/index.ts          a path in a branch
 *   #/main/index.ts#L3-L5        lines of a file
 *   #/tag:v1.0/                  a tag; `remote:`, `ref:` and `id:` are the other prefixes
 *   #blame/main/index.ts         who last changed its lines
 *   #history/main/src?author=A   the commits that changed a path, with a search
 *   #search/main/src?text=sum    the lines of files that match
 *   #commit/<id>                 a commit
 *   #compare/main...other        what changed since two branches parted; `..` for between them
 *   #refs                        branches and tags
 *
 * No refname holds a colon, so the prefixes cannot be mistaken for branches.
 */
export type Route =
  | PathRoute
  | { readonly type: 'commit'; readonly oid: string }
  | CompareRoute
  | { readonly type: 'refs' }

export interface CompareRoute {
  readonly type: 'compare'
  readonly old: string
  readonly changed: string
  /** Whether the old side is where both parted, as on hosts of repositories. */
  readonly sinceMergeBase: boolean
}

export interface PathRoute {
  readonly type: 'path'
  readonly view: PathView
  readonly rev: string
  readonly path: readonly PathKey[]
  readonly lines?: Lines | undefined
  /** What is searched for. */
  readonly query?: Query | undefined
}

/** What is shown of a path. */
export type PathView = 'files' | 'blame' | 'history' | 'search'

export type Query = Readonly<Record<string, string>>

/** Lines of a file, by their numbers from 1. */
export interface Lines {
  readonly first: number
  readonly last: number
}

/** A component of a path, its bytes percent-encoded: names need not be UTF-8. */
export type PathKey = string

export const home: Route = { type: 'path', view: 'files', rev: 'HEAD', path: [] }

export function parseRoute(hash: string): Route {
  const commit = /^#commit\/([0-9a-f]{4,64})$/.exec(hash)
  if (commit?.[1]) return { type: 'commit', oid: commit[1] }
  if (hash === '#refs') return { type: 'refs' }
  const [, old, dots, changed] = /^#compare\/(.+?)(\.\.\.?)([^.].*)$/.exec(hash) ?? []
  if (old && changed) {
    const sides = { old: decoded(old), changed: decoded(changed) }
    return { type: 'compare', ...sides, sinceMergeBase: dots === '...' }
  }
  const [, view = '', place = '', query, first, last = first] =
    /^#?(blame|history|search)?\/?(.*?)(?:\?(.*?))?(?:#L(\d+)(?:-L?(\d+))?)?$/.exec(hash) ?? []
  const [rev, ...path] = place.split('/').filter(Boolean)
  if (!rev) return home
  return {
    type: 'path',
    view: VIEWS.find((known) => known === view) ?? 'files',
    rev: decoded(rev),
    path: path.map((key) => encodeKey(bytesOf(key))),
    lines: linesOf(Number(first), Number(last)),
    query: query ? Object.fromEntries(new URLSearchParams(query)) : undefined,
  }
}

const VIEWS: readonly PathView[] = ['blame', 'history', 'search']

export function formatRoute(route: Route): string {
  if (route.type === 'commit') return `#commit/${route.oid}`
  if (route.type === 'refs') return '#refs'
  if (route.type === 'compare') {
    const { old, changed, sinceMergeBase } = route
    return `#compare/${encodeDots(old)}${sinceMergeBase ? '...' : '..'}${encodeDots(changed)}`
  }
  const { rev, path, lines, query } = route
  const view = route.view === 'files' ? '' : route.view
  const place = [encodeURIComponent(rev), ...path].join('/')
  return `#${view}/${place}${formatQuery(query)}${lines ? formatLines(lines) : ''}`
}

/** A refname has no two dots in a row, but may begin with one after a slash. */
function encodeDots(rev: string): string {
  return encodeURIComponent(rev).replaceAll('.', '%2e')
}

function formatQuery(query: Query | undefined): string {
  const parts = Object.entries(query ?? {}).filter(([, value]) => value !== '')
  return parts.length > 0 ? `?${new URLSearchParams(parts)}` : ''
}

function formatLines({ first, last }: Lines): string {
  return first === last ? `#L${first}` : `#L${first}-L${last}`
}

function linesOf(first: number, last: number): Lines | undefined {
  if (!(first >= 1 && last >= 1)) return undefined
  return { first: Math.min(first, last), last: Math.max(first, last) }
}

export function pathRoute(
  rev: string,
  path: readonly PathKey[] = [],
  view: PathView = 'files',
): string {
  return formatRoute({ type: 'path', view, rev, path })
}

/** Encodes bytes; those that are not plain in an address become `%` and two digits. */
export function encodeKey(bytes: Uint8Array): PathKey {
  return Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte)
    return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
  }).join('')
}

/** Returns the keys of a path, whose names are joined by `/`. */
export function keysOf(path: Uint8Array): PathKey[] {
  const slash = '/'.charCodeAt(0)
  const keys: PathKey[] = []
  for (let at = 0; at <= path.length; ) {
    const found = path.indexOf(slash, at)
    const end = found < 0 ? path.length : found
    keys.push(encodeKey(path.subarray(at, end)))
    at = end + 1
  }
  return keys
}

/** Returns the bytes of a key, also of one that was typed by hand. */
export function bytesOf(key: PathKey): Uint8Array {
  const bytes: number[] = []
  for (const part of key.match(/%[0-9a-f]{2}|[^%]+|%/giu) ?? []) {
    if (part.length === 3 && part.startsWith('%')) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...new TextEncoder().encode(part))
  }
  return Uint8Array.from(bytes)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
