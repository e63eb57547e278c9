/** The default export: all functions in one object. */
import { findMergeBase, isDescendent } from './ancestry.js'
import { getConfig, getConfigAll, listRemotes } from './config.js'
import { Errors, useErrors } from './errors.js'
import { expandOid } from './expand-oid.js'
import { listFiles } from './files.js'
import { findRoot } from './find-root.js'
import { isIgnored } from './ignored.js'
import { log } from './log.js'
import { listNotes, readNote } from './notes.js'
import { readBlob, readCommit, readTag, readTree } from './objects.js'
import { readObject } from './read-object.js'
import { currentBranch, expandRef, listBranches, listRefs, listTags, resolveRef } from './refs.js'
import { closeRepositories } from './repositories.js'
import { STAGE } from './stage.js'
import { status, statusMatrix } from './status.js'
import { version } from './version.js'
import { walk } from './walk.js'
import { TREE } from './walkers.js'
import { WORKDIR } from './workdir.js'
import * as writes from './writing.js'

/** All functions, for `import git from 'packlens/isomorphic-git'`. */
export const all = {
  ...writes,
  Errors,
  STAGE,
  TREE,
  WORKDIR,
  closeRepositories,
  currentBranch,
  expandOid,
  expandRef,
  findMergeBase,
  findRoot,
  getConfig,
  getConfigAll,
  isDescendent,
  isIgnored,
  listBranches,
  listFiles,
  listNotes,
  listRefs,
  listRemotes,
  listTags,
  log,
  readBlob,
  readCommit,
  readNote,
  readObject,
  readTag,
  readTree,
  resolveRef,
  status,
  statusMatrix,
  useErrors,
  version,
  walk,
}
