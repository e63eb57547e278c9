/**
 * The reading half of isomorphic-git's functions, answered by packlens: the same parameters, shapes
 * and errors. What writes says so.
 *
 * ```ts
 * import * as git from 'packlens/isomorphic-git'
 *
 * const commits = await git.log({ fs, dir: '/project', depth: 10 })
 * ```
 *
 * @module
 */

export { all as default } from './all.js'
export type { FindMergeBaseParameters, IsDescendentParameters } from './ancestry.js'
export { findMergeBase, isDescendent } from './ancestry.js'
export type { ConfigParameters, ConfigValue, ListedRemote } from './config.js'
export { getConfig, getConfigAll, listRemotes } from './config.js'
export { Errors, useErrors } from './errors.js'
export { expandOid } from './expand-oid.js'
export type { ListFilesParameters } from './files.js'
export { listFiles } from './files.js'
export type { FindRootParameters } from './find-root.js'
export { findRoot } from './find-root.js'
export type { IsIgnoredParameters } from './ignored.js'
export { isIgnored } from './ignored.js'
export type { LogParameters } from './log.js'
export { log } from './log.js'
export type { ListNotesParameters, ReadNoteParameters } from './notes.js'
export { listNotes, readNote } from './notes.js'
export type { FileParameters, ObjectParameters, ReadBlobResult, ReadTreeResult } from './objects.js'
export { readBlob, readCommit, readTag, readTree } from './objects.js'
export type { RepositoryParameters } from './parameters.js'
export type { ReadObjectParameters, ReadObjectResult } from './read-object.js'
export { readObject } from './read-object.js'
export type {
  CurrentBranchParameters,
  ListBranchesParameters,
  ListRefsParameters,
  RefParameters,
  ResolveRefParameters,
} from './refs.js'
export { currentBranch, expandRef, listBranches, listRefs, listTags, resolveRef } from './refs.js'
export { closeRepositories } from './repositories.js'
export type {
  CommitObject,
  Person,
  ReadCommitResult,
  ReadTagResult,
  TagObject,
  TreeEntry,
  TreeObject,
} from './shapes.js'
export { STAGE } from './stage.js'
export type { StatusMatrixParameters, StatusParameters, StatusRow } from './status.js'
export { status, statusMatrix } from './status.js'
export type { Unsupported } from './unsupported.js'
export { version } from './version.js'
export type { WalkerIterate, WalkerMap, WalkerReduce, WalkParameters } from './walk.js'
export { walk } from './walk.js'
export type { EntryWalker, WalkContext, Walker, WalkerEntry, WalkerStat } from './walkers.js'
export { TREE } from './walkers.js'
export { WORKDIR } from './workdir.js'
export * from './writing.js'
