/** Loads the module in Node, and opens sources that only Node has: paths. */

import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import type { URL } from '../base/platform-types.js'
import type { RepoSource as CommonSource, OpenOptions } from '../opening/open.js'
import { storeAt, storeOf } from '../opening/open.js'
import { offerModules } from '../session/modules.js'
import { withRest } from '../session/rest.js'
import type { ByteSource } from '../source/bytes.js'
import { fileFrom } from '../source/bytes.js'
import { refuse } from '../source/environment.js'
import type { PackFiles } from '../source/pack-files.js'
import { isPackFiles, packFilesStore } from '../source/pack-files.js'
import type { FileStore } from '../source/store.js'
import { fs } from './builtin.js'
import { fileAt, gitDirectoryStore, pathStore } from './path-store.js'

/**
 * A source of a repository. In Node also the path, or `file:` URL, of a worktree, a bare
 * repository or a `.git` file; or its `https:` or `http:` URL on a server.
 */
export type RepoSource = CommonSource | string | URL

/** A pack or an index: in Node also its path. */
export type PackSourceFile = ByteSource | string

/** Returns the store of a source; called in the page's thread or in a worker. */
export function storeFor(
  source: RepoSource | PackFiles<PackSourceFile>,
  options: OpenOptions = {},
): MaybePromise<FileStore> {
  const inner = (repository: RepoSource) => storeFor(repository, options)
  if (isPackFiles(source)) return packFilesStore(source, fileOf, inner)
  if (source instanceof URL || isAddress(source)) return storeOfUrl(source, options)
  if (typeof source === 'string') return pathStore(source, options)
  return ownStore(source, options) ?? storeOf(source as CommonSource, options, inner)
}

/**
 * Returns the store of a client that is Node's own `fs`, however it was imported: its files are read
 * as those at a path are, without promises, and all that the disk says of them is known.
 */
function ownStore(source: RepoSource, options: OpenOptions): FileStore | undefined {
  if (typeof source !== 'object' || source === null || !('fs' in source)) return undefined
  const { gitDir, commonDir, objectDirectory } = options
  // Only a client relates these to the directories of the source.
  if ((gitDir ?? commonDir ?? objectDirectory) !== undefined) return undefined
  const { fs: client, dir, gitdir } = source
  if (client !== fs && (client as { readonly default?: unknown } | null)?.default !== fs) {
    return undefined
  }
  if (typeof gitdir === 'string') return gitDirectoryStore(gitdir, dir)
  return typeof dir === 'string' ? pathStore(dir) : undefined
}

/** Returns the options with absolute paths, which mean the same in a worker, and later. */
export function absoluteOptions(source: RepoSource, options: OpenOptions): OpenOptions {
  const isPath = typeof source === 'string' ? !isAddress(source) : isFileUrl(source)
  if (!isPath) return options
  const { commonDir, objectDirectory, alternates } = options
  refuse(options, ['gitDir'], 'give its path as the source')
  return {
    ...options,
    ...(commonDir && { commonDir: path.resolve(commonDir) }),
    ...(objectDirectory && { objectDirectory: path.resolve(objectDirectory) }),
    ...(alternates && { alternates: alternates.map((place) => path.resolve(place)) }),
  }
}

function isFileUrl(source: RepoSource): boolean {
  return source instanceof URL && source.protocol === 'file:'
}

/** Returns the source with an absolute path, which means the same in a worker, and later. */
export function absoluteSource(source: RepoSource): RepoSource {
  if (typeof source === 'string' && !isAddress(source)) return path.resolve(source)
  if (typeof source !== 'object' || source === null || !('bundle' in source)) return source
  const { repository } = source
  return repository === undefined ? source : { ...source, repository: absoluteSource(repository) }
}

function fileOf(source: PackSourceFile) {
  return typeof source === 'string' ? fileAt(source) : fileFrom(source)
}

/** Returns the files with absolute paths, which mean the same in a worker. */
export function absoluteFiles({
  pack,
  idx,
  repository,
}: PackFiles<PackSourceFile>): PackFiles<PackSourceFile> {
  const absolute = (source: PackSourceFile) =>
    typeof source === 'string' ? path.resolve(source) : source
  return {
    ...(pack && { pack: absolute(pack) }),
    ...(idx && { idx: absolute(idx) }),
    ...(repository !== undefined && { repository: absoluteSource(repository as RepoSource) }),
  }
}

function isAddress(source: RepoSource): source is string {
  return typeof source === 'string' && /^https?:\/\//i.test(source)
}

function storeOfUrl(source: string | URL, options: OpenOptions): MaybePromise<FileStore> {
  const url = URL.canParse(source) ? new URL(source) : null
  if (url?.protocol === 'file:') return pathStore(fileURLToPath(url), options)
  const store = url && storeAt(url, options)
  if (store) return store
  const what = 'cannot open this address: it must begin with https://, http:// or file:'
  throw new PacklensError('BAD_INPUT', what, { subject: `${source}` })
}

/** Says where the module of the package is. Nothing is downloaded, so there is no reader. */
export function offerBeside(): void {
  offerModules({
    full: () => fs.readFileSync(new URL('../wasm/packlens_bg.wasm', import.meta.url)),
    whole: (full, given) => withRest(full, given ?? restBeside),
  })
}

function restBeside(): Uint8Array<ArrayBuffer> {
  return fs.readFileSync(new URL('../wasm/packlens_rest.wasm', import.meta.url))
}
