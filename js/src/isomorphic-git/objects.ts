/** Reads objects by id and path. */
import type { GitObject, Repository } from '../index.js'
import { unlessAbsent } from './absent.js'
import { answered } from './calls.js'
import { InvalidFilepathError, NotFoundError, ObjectTypeError } from './errors.js'
import type { RepositoryParameters } from './parameters.js'
import type { ReadCommitResult, ReadTagResult, TreeObject } from './shapes.js'
import { commitResult, tagResult, treeOf } from './shapes.js'

/** The parameters of calls that read an object. */
export interface ObjectParameters extends RepositoryParameters {
  /** The id of the object, or any revision of git. */
  readonly oid: string
}

/** The parameters of {@link readBlob} and {@link readTree}. */
export interface FileParameters extends ObjectParameters {
  /** A path in the tree of `oid`; `''` is that tree itself. */
  readonly filepath?: string | undefined
}

/** What {@link readBlob} returns. */
export interface ReadBlobResult {
  oid: string
  blob: Uint8Array
}

/** What {@link readTree} returns. */
export interface ReadTreeResult {
  oid: string
  tree: TreeObject
}

/** Reads a blob; `oid` may be a tag of one, or with `filepath` a commit or a tree. */
export function readBlob(parameters: FileParameters): Promise<ReadBlobResult> {
  return answered('readBlob', parameters, ['oid'], async (repo) => {
    const { oid, data } = await peeled(repo, await objectAt(repo, parameters), 'blob')
    return { oid, blob: data }
  })
}

/** Reads a commit; `oid` may be a tag of one. */
export function readCommit(parameters: ObjectParameters): Promise<ReadCommitResult> {
  return answered('readCommit', parameters, ['oid'], async (repo) => {
    return commitResult(await peeled(repo, await repo.read(parameters.oid), 'commit'))
  })
}

/** Reads an annotated tag. */
export function readTag(parameters: ObjectParameters): Promise<ReadTagResult> {
  return answered('readTag', parameters, ['oid'], async (repo) => {
    const object = await repo.read(parameters.oid)
    if (object.type !== 'tag') throw new ObjectTypeError(object.oid, object.type, 'tag')
    return tagResult(object)
  })
}

/** Reads a tree; `oid` may be a commit, or a tag of either. */
export function readTree(parameters: FileParameters): Promise<ReadTreeResult> {
  return answered('readTree', parameters, ['oid'], async (repo) => {
    const tree = await peeled(repo, await objectAt(repo, parameters), 'tree')
    return { oid: tree.oid, tree: treeOf(tree) }
  })
}

/** Returns the object of a type that tags, and commits if it is a tree, lead to. */
export async function peeled<T extends GitObject['type']>(
  repo: Repository,
  object: GitObject,
  type: T,
): Promise<Extract<GitObject, { readonly type: T }>> {
  let at = object
  while (at.type !== type) {
    if (at.type === 'tag') at = await repo.read(at.target)
    else if (at.type === 'commit' && type === 'tree') at = await repo.read(at.tree)
    else throw new ObjectTypeError(at.oid, at.type, type)
  }
  return at as Extract<GitObject, { readonly type: T }>
}

/** Reads the object that `oid`, or `filepath` in its tree, names. */
export async function objectAt(
  repo: Repository,
  { oid, filepath }: Pick<FileParameters, 'oid' | 'filepath'>,
): Promise<GitObject> {
  if (filepath === undefined) return repo.read(oid)
  checkPath(filepath)
  if (filepath === '') return peeled(repo, await repo.read(oid), 'tree')
  const found = await unlessAbsent(repo.read(`${oid}:${filepath}`))
  return found ?? withoutFile(repo, oid, filepath)
}

/** @throws `NotFoundError` if a tree does not have a path, which may be that of a submodule */
export async function expectPath(repo: Repository, oid: string, filepath: string): Promise<void> {
  checkPath(filepath)
  const found = await unlessAbsent(repo.resolve(`${oid}:${filepath}`))
  if (!found && filepath !== '') await withoutFile(repo, oid, filepath)
}

function checkPath(filepath: string): void {
  if (filepath.startsWith('/')) throw new InvalidFilepathError('leading-slash')
  if (filepath.endsWith('/')) throw new InvalidFilepathError('trailing-slash')
}

/** @throws always: says whether the path, one of its directories or the tree does not exist */
async function withoutFile(repo: Repository, oid: string, filepath: string): Promise<never> {
  await peeled(repo, await repo.read(oid), 'tree')
  const found = await unlessAbsent(repo.resolve(`${oid}:${filepath}`))
  if (found) throw new NotFoundError(found)
  for (let at = filepath.indexOf('/'); at >= 0; at = filepath.indexOf('/', at + 1)) {
    const spec = `${oid}:${filepath.slice(0, at)}`
    const info = await unlessAbsent(repo.info(spec))
    if (info === null) break
    if (info.type !== 'tree') throw new ObjectTypeError(oid, info.type, 'tree', filepath)
  }
  throw new NotFoundError(`file or directory found at "${oid}:${filepath}"`)
}
