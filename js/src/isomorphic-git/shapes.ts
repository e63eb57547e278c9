/** Objects in isomorphic-git's shapes. */
import type {
  CommitObject as Commit,
  Header,
  Signature,
  TagObject as Tag,
  TreeObject as Tree,
} from '../index.js'
import { compareText, decoded, textOf, withOneNewline } from './text.js'

/** The person and date of an author, committer or tagger. */
export interface Person {
  name: string
  email: string
  /** Seconds since 1970; 0 if there is no date. */
  timestamp: number
  /** Minutes west of Greenwich, as of JavaScript's `Date`: `+0200` is -120. */
  timezoneOffset: number
}

/** A commit in isomorphic-git's shape. */
export interface CommitObject {
  message: string
  tree: string
  parent: string[]
  author: Person
  committer: Person
  gpgsig?: string
  /** What the commit changed: new id, old id and path of each file; only if requested. */
  changes?: [string | null, string | null, string][]
}

/** A commit and its id; `payload` is its text without the signature. */
export interface ReadCommitResult {
  oid: string
  commit: CommitObject
  /** The commit without its signature, which the signature signs. */
  payload: string
}

/** An entry of a tree in isomorphic-git's shape. */
export interface TreeEntry {
  /** Six octal digits. */
  mode: string
  path: string
  oid: string
  type: 'commit' | 'blob' | 'tree'
}

/** A tree in isomorphic-git's shape. */
export type TreeObject = TreeEntry[]

/** A tag in isomorphic-git's shape. */
export interface TagObject {
  object: string
  type: 'blob' | 'tree' | 'commit' | 'tag'
  tag: string
  tagger: Person
  message: string
  gpgsig?: string | undefined
}

/** A tag and its id; `payload` is its text without the signature. */
export interface ReadTagResult {
  oid: string
  tag: TagObject
  /** The tag without its signature, which the signature signs. */
  payload: string
}

export function commitResult(object: Commit): ReadCommitResult {
  return { oid: object.oid, commit: commitOf(object), payload: payloadOf(object) }
}

export function commitOf(object: Commit): CommitObject {
  const { tree, parents, author, committer, message } = object
  return {
    ...furtherHeaders(object.headers, ['tree', 'parent', 'author', 'committer']),
    tree,
    parent: [...parents],
    author: personOf(author),
    committer: personOf(committer),
    message: withOneNewline(message),
  }
}

/** The first header of each name counts, as in git. */
function furtherHeaders(headers: readonly Header[], known: string[]): Record<string, string> {
  const further: Record<string, string> = {}
  for (const { key, value } of headers) {
    if (!known.includes(key) && !Object.hasOwn(further, key)) further[key] = textOf(value)
  }
  return further
}

function personOf({ name, email, seconds, offset, raw }: Signature): Person {
  // isomorphic-git has -0 for -0000, from which it writes the zone again.
  const zero = /-0+$/.test(textOf(raw)) ? -0 : 0
  const timezoneOffset = offset === 0 ? zero : -offset
  return { name, email, timestamp: seconds ?? 0, timezoneOffset }
}

function payloadOf({ data, encoding }: Commit): string {
  const text = decoded(data, encoding)
  const [head, message] = splitAt(text, '\n\n')
  const unsigned = head.replace(/^gpgsig(-sha256)? .*(\n .*)*\n?/gm, '')
  return withOneNewline(`${unsigned.replace(/\n$/, '')}${message}`)
}

/** Splits a text before the first `mark`. */
function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

/** Entries are in the order of their names; git has directories as if these ended with `/`. */
export function treeOf({ entries }: Tree): TreeObject {
  const shaped = entries.map(({ mode, name, oid, type }) => ({
    mode: mode.toString(8).padStart(6, '0'),
    path: name,
    oid,
    type,
  }))
  return shaped.sort((a, b) => compareText(a.path, b.path))
}

/** The first line of a signature that git knows. */
const SIGNATURE = /^-----BEGIN (PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/gm

export function tagResult(object: Tag): ReadTagResult {
  const { unsigned } = signedParts(object)
  return { oid: object.oid, tag: tagOf(object), payload: `${unsigned}\n` }
}

export function tagOf(object: Tag): TagObject {
  const { target, targetType, name, tagger } = object
  const { unsigned, gpgsig } = signedParts(object)
  return {
    ...furtherHeaders(object.headers, ['object', 'type', 'tag', 'tagger']),
    object: target,
    type: targetType,
    tag: name,
    ...((tagger && { tagger: personOf(tagger) }) as { tagger: Person }),
    message: splitAt(unsigned, '\n\n')[1].slice(2),
    gpgsig,
  }
}

/** Splits a tag before its signature: the last line that can begin one, as git decides. */
function signedParts({ data }: Tag): { unsigned: string; gpgsig: string | undefined } {
  const text = withOneNewline(textOf(data))
  const start = Array.from(text.matchAll(SIGNATURE)).at(-1)?.index
  if (start === undefined || start === 0) return { unsigned: text, gpgsig: undefined }
  return { unsigned: text.slice(0, start - 1), gpgsig: withOneNewline(text.slice(start)) }
}
