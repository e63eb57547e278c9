/** Reads the content of a page. */
import type { CommitObject, GitObject, Repository, TagObject, TreeEntry } from 'packlens'
import { isPacklensError } from 'packlens'
import { entryAt } from '../../../examples/data-source/entry'
import { joined } from '../../../examples/data-source/paths'
import type { Opened } from '../repository/opened'
import type { NamedRef } from '../repository/refs'
import { findRef } from '../repository/refs'
import type { CompareRoute, PathKey, Route } from '../route'
import { bytesOf, encodeKey } from '../route'
import { errors } from '../words/errors'
import type { Content, SizedBlob } from './content'
import { readBlob, readFirst } from './content'
import { readCommits } from './history'

/** The location of a page: a ref, the tags that were peeled, and a path in the tree. */
export interface Place {
  readonly ref: NamedRef
  readonly tags: readonly TagObject[]
  /** `null` if a tag names a tree or a file. */
  readonly commit: CommitObject | null
  readonly path: readonly PathPart[]
}

export interface PathPart {
  readonly key: PathKey
  readonly bytes: Uint8Array
}

export interface Row {
  readonly entry: TreeEntry
  readonly key: PathKey
}

export type Page =
  | { readonly type: 'unborn'; readonly ref: NamedRef }
  | {
      readonly type: 'tree'
      readonly place: Place
      readonly oid: string
      readonly rows: Row[]
      readonly readme: Readme | null
    }
  | {
      readonly type: 'file'
      readonly place: Place
      readonly isExecutable: boolean
      readonly info: SizedBlob
      readonly content: Content
    }
  | {
      readonly type: 'symlink'
      readonly place: Place
      readonly info: SizedBlob
      readonly target: Uint8Array
    }
  | { readonly type: 'submodule'; readonly place: Place; readonly oid: string }
  | {
      readonly type: 'history' | 'search'
      readonly place: Place
      /** `false` also for a path that is not in this revision. */
      readonly isFile: boolean
    }
  | { readonly type: 'refs' }
  | Comparison
  | {
      readonly type: 'commit'
      readonly commit: CommitObject
      readonly parents: ReadonlyMap<string, CommitObject>
    }

export interface Comparison {
  readonly type: 'compare'
  /** The ids of the commits to compare. */
  readonly old: string
  readonly changed: string
}

export interface Readme {
  readonly row: Row
  readonly content: Content
}

/** The error for an address without content; its message is shown on the page. */
export class NotFound extends Error {}

/** The most bytes of a link target that are shown; no file system allows longer ones. */
const MOST_TARGET = 64 << 10

export async function readPage(opened: Opened, route: Route): Promise<Page> {
  if (route.type === 'commit') return readCommitPage(opened.repo, route.oid)
  if (route.type === 'refs') return route
  if (route.type === 'compare') return readComparison(opened, route)
  const ref = refCalled(opened, route.rev)
  if (ref.oid === null) return { type: 'unborn', ref }
  const path = route.path.map((key) => ({ key, bytes: bytesOf(key) }))
  const { target, tags, commit } = await topOf(opened.repo, ref.oid)
  const place = { ref, tags, commit, path }
  // A path that was deleted has a history, too.
  if (route.view === 'history' || route.view === 'search') {
    return { type: route.view, place, isFile: await isFileAt(opened.repo, place, target) }
  }
  return readPath(opened.repo, place, target)
}

function refCalled({ refs, head }: Opened, rev: string): NamedRef {
  const ref = findRef(refs, head, rev)
  if (!ref) throw new NotFound(errors.noRef(rev))
  return ref
}

async function readComparison(opened: Opened, route: CompareRoute): Promise<Comparison> {
  const [old, changed] = await Promise.all(
    [route.old, route.changed].map(async (rev) => {
      const { peeled, label } = refCalled(opened, rev)
      if (peeled === null) throw new NotFound(errors.noCommits(label))
      return opened.repo.resolve(`${peeled}^{commit}`)
    }),
  )
  if (!old || !changed) throw new NotFound(errors.nothingToCompare)
  const base = route.sinceMergeBase ? await opened.repo.mergeBase(old, changed) : old
  return { type: 'compare', old: base ?? old, changed }
}

async function readCommitPage(repo: Repository, oid: string): Promise<Page> {
  const commit = await repo.read(oid)
  if (commit.type !== 'commit') throw new NotFound(errors.noCommit(oid, commit.type))
  const parents = await readCommits(repo, commit.parents)
  return { type: 'commit', commit, parents: new Map(parents.map((parent) => [parent.oid, parent])) }
}

async function isFileAt(repo: Repository, { path }: Place, target: GitObject): Promise<boolean> {
  if (path.length === 0) return target.type === 'blob'
  return (await findEntry(repo, path, target))?.isBlob === true
}

function findEntry(repo: Repository, path: readonly PathPart[], { oid }: GitObject) {
  const names = path.map(({ bytes }) => bytes)
  return entryAt(repo, oid, names)
}

async function readPath(repo: Repository, place: Place, target: GitObject): Promise<Page> {
  const { path, ref } = place
  if (target.type === 'blob' && path.length === 0) return readFile(repo, place, target.oid)
  if (target.type !== 'tree') throw new NotFound(errors.noTree(ref.label))
  let tree = target
  if (path.length > 0) {
    const entry = await findEntry(repo, path, target)
    if (!entry) throw new NotFound(errors.noPath(textOf(path), ref.label))
    if (entry.isSubmodule) return { type: 'submodule', place, oid: entry.oid }
    if (entry.isBlob) return readFile(repo, place, entry.oid, entry)
    tree = await repo.readTree(entry.oid)
  }
  const rows = rowsOf(tree.entries)
  return { type: 'tree', place, oid: tree.oid, rows, readme: await readReadme(repo, rows) }
}

interface Top {
  readonly target: GitObject
  readonly tags: readonly TagObject[]
  /** `null` if a tag names a tree or a file. */
  readonly commit: CommitObject | null
}

/** The last top that was read: most pages are of the same commit as the one before. */
const tops = new WeakMap<Repository, { readonly oid: string; readonly top: Top }>()

async function topOf(repo: Repository, oid: string): Promise<Top> {
  const last = tops.get(repo)
  if (last?.oid === oid) return last.top
  const top = await follow(repo, oid)
  tops.set(repo, { oid, top })
  return top
}

/** Peels an object to a tree or a blob; returns also the tags and the commit on the way. */
async function follow(repo: Repository, oid: string): Promise<Top> {
  const tags: TagObject[] = []
  let commit: CommitObject | null = null
  let target = await repo.read(oid)
  while (target.type === 'tag' || target.type === 'commit') {
    if (target.type === 'tag') tags.push(target)
    else commit = target
    target = await repo.read(target.type === 'tag' ? target.target : target.tree)
  }
  return { target, tags, commit }
}

/** Reads the page of a file; `entry` is its tree entry, if it has one. */
async function readFile(
  repo: Repository,
  place: Place,
  oid: string,
  entry?: TreeEntry,
): Promise<Page> {
  if (entry?.isSymlink) {
    const { size, head } = await readFirst(repo, oid, MOST_TARGET)
    return { type: 'symlink', place, info: { oid, size }, target: head }
  }
  const isExecutable = entry?.isExecutable ?? false
  return { type: 'file', place, isExecutable, ...(await readBlob(repo, oid)) }
}

/** Reads the entries of a tree, in the order of a page. */
export async function readRows(repo: Repository, oid: string): Promise<Row[]> {
  return rowsOf((await repo.readTree(oid)).entries)
}

/** Returns folders before files, each in git's order. */
function rowsOf(entries: readonly TreeEntry[]): Row[] {
  const rows = entries.map((entry) => ({ entry, key: encodeKey(entry.nameBytes) }))
  const isFolder = ({ entry }: Row) => entry.type === 'tree'
  return [...rows.filter(isFolder), ...rows.filter((row) => !isFolder(row))]
}

/** Reads the sizes of files; missing files, as in a partial clone, have none. */
export async function readSizes(
  repo: Repository,
  oids: readonly string[],
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  let start: { index: number; skip: number } | null = oids.length > 0 ? { index: 0, skip: 0 } : null
  while (start) {
    const batch = await repo.readMany(oids, { fields: 'size', size: 1 << 20, start })
    for (const row of batch) if ('size' in row) sizes.set(row.oid, row.size)
    start = batch.next
  }
  return sizes
}

async function readReadme(repo: Repository, rows: readonly Row[]): Promise<Readme | null> {
  const isReadme = ({ entry }: Row) =>
    entry.isBlob && !entry.isSymlink && /^readme(\.|$)/i.test(entry.name)
  const row = rows.find(isReadme)
  if (!row) return null
  try {
    return { row, content: (await readBlob(repo, row.entry.oid)).content }
  } catch (error) {
    // It may be missing, as in a partial clone; the folder is shown without it.
    if (isPacklensError(error, 'NOT_FOUND') || isPacklensError(error, 'PROMISED')) return null
    throw error
  }
}

/** Returns the id of the commit or tree in which the paths of a place are. */
export function rootOf({ commit, ref }: Place): string {
  return commit?.oid ?? ref.peeled ?? ref.rev
}

/** Returns the path of a place as bytes, names joined by `/`; empty for the root. */
export function pathBytesOf({ path }: Pick<Place, 'path'>): Uint8Array<ArrayBuffer> {
  return joined(path.map((part) => part.bytes))
}

function textOf(path: readonly PathPart[]): string {
  return new TextDecoder().decode(joined(path.map((part) => part.bytes)))
}

/** Returns the name of a file as text, which tells its language. */
export function nameOf({ path }: Place): string {
  return new TextDecoder().decode(path.at(-1)?.bytes)
}

export function isMarkdown(name: string): boolean {
  return /\.(?:md|markdown|mkd)$/i.test(name)
}
