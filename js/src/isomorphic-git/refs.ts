/** Lists and resolves refs. */
import type { Repository } from '../index.js'
import { answered } from './calls.js'
import { NotFoundError } from './errors.js'
import type { RepositoryParameters } from './parameters.js'
import { isOid, resolve, storedRef } from './resolve.js'

/** The parameters of {@link listBranches}. */
export interface ListBranchesParameters extends RepositoryParameters {
  /** Lists the branches of this remote instead of local ones. */
  readonly remote?: string | undefined
}

/** The parameters of {@link listRefs}. */
export interface ListRefsParameters extends RepositoryParameters {
  /** The beginning of the names, such as `refs/heads`, which is left out of them. */
  readonly filepath: string
}

/** The parameters of {@link expandRef}. */
export interface RefParameters extends RepositoryParameters {
  /** A full or short name of a ref, an id, or any revision of git. */
  readonly ref: string
}

/** The parameters of {@link resolveRef}. */
export interface ResolveRefParameters extends RefParameters {
  /** The most steps to follow: 2 returns the branch that `HEAD` names. */
  readonly depth?: number | undefined
}

/** The parameters of {@link currentBranch}. */
export interface CurrentBranchParameters extends RepositoryParameters {
  /** Returns `refs/heads/main` instead of `main`. */
  readonly fullname?: boolean | undefined
  /** Returns `undefined` if the branch has no commits yet. */
  readonly test?: boolean | undefined
}

/** Lists the short names of branches. */
export function listBranches(parameters: ListBranchesParameters): Promise<string[]> {
  const { remote } = parameters
  return answered('listBranches', parameters, [], (repo) =>
    namesBelow(repo, remote ? `refs/remotes/${remote}` : 'refs/heads'),
  )
}

/** Lists the short names of tags. */
export function listTags(parameters: RepositoryParameters): Promise<string[]> {
  return answered('listTags', parameters, [], (repo) => namesBelow(repo, 'refs/tags'))
}

/** Lists refs below a path, by their names there. */
export function listRefs(parameters: ListRefsParameters): Promise<string[]> {
  return answered('listRefs', parameters, ['filepath'], (repo) =>
    namesBelow(repo, parameters.filepath),
  )
}

/** Returns the id of a ref, or with `depth` what a symbolic ref leads to. */
export function resolveRef(parameters: ResolveRefParameters): Promise<string> {
  const { ref, depth } = parameters
  return answered('resolveRef', parameters, ['ref'], (repo) => resolve(repo, ref, depth))
}

/** Returns the full name of a ref. */
export function expandRef(parameters: RefParameters): Promise<string> {
  const { ref } = parameters
  return answered('expandRef', parameters, ['ref'], async (repo) => {
    if (isOid(ref)) return ref
    const found = await storedRef(repo, ref)
    if (!found) throw new NotFoundError(ref)
    return found.name
  })
}

/** Returns the name of the branch that `HEAD` names; `undefined` if it names none. */
export function currentBranch(parameters: CurrentBranchParameters): Promise<string | undefined> {
  const { fullname, test } = parameters
  return answered('currentBranch', parameters, [], async (repo) => {
    const head = await repo.refs.get('HEAD')
    if (!head?.target?.startsWith('refs/') || (test && head.oid === null)) return undefined
    return fullname ? head.target : shortName(head.target)
  })
}

async function namesBelow(repo: Repository, directory: string): Promise<string[]> {
  const prefix = `${directory.replace(/\/+$/, '')}/`
  const names: string[] = []
  for await (const { name } of repo.refs.list({ prefix })) names.push(name.slice(prefix.length))
  return names
}

function shortName(ref: string): string {
  const [, kind, name = ref] = /^refs\/(heads\/|tags\/|remotes\/)?(.*)/.exec(ref) ?? []
  return kind === 'remotes/' ? name.replace(/\/HEAD$/, '') : name
}
