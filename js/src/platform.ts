/** Opens the sources of browsers; `node/platform.ts` is the same for Node. */

import { PacklensError } from './base/errors.js'
import { restLoader } from './base/lazy.js'
import type { MaybePromise } from './base/maybe.js'
import { whenReady } from './base/maybe.js'
import type { URL } from './base/platform-types.js'
import type { RepoSource as CommonSource, OpenOptions } from './opening/open.js'
import { storeAt, storeOf } from './opening/open.js'
import { offerModules } from './session/modules.js'
import { compiledAt } from './session/wasm-module.js'
import type { PackFiles } from './source/pack-files.js'
import type { FileStore } from './source/store.js'

/**
 * A source of a repository: in a page also its URL on a server, as
 * text relative to that of the page.
 */
export type RepoSource = CommonSource | string | URL

/** Returns the store of a source, here or in a worker. */
export function storeFor(
  source: RepoSource | PackFiles,
  options: OpenOptions = {},
): MaybePromise<FileStore> {
  if (typeof source !== 'string' && !(source instanceof URL)) {
    return storeOf(source, options, (inner) => storeFor(inner, options))
  }
  const url = urlOf(source)
  const store = url && storeAt(url, options)
  if (store) return store
  const what = 'not the address of a server: it must begin with https:// or http://'
  throw new PacklensError('BAD_INPUT', what, { subject: `${source}` })
}

/** Returns the source with an absolute URL, which means the same in a worker. */
export function absoluteSource(source: RepoSource): RepoSource {
  if (typeof source === 'string') return urlOf(source) ?? source
  if (typeof source !== 'object' || source === null || !('bundle' in source)) return source
  const { repository } = source
  return repository === undefined ? source : { ...source, repository: absoluteSource(repository) }
}

/** Returns the files with the absolute URL of their repository, as {@link absoluteSource}. */
export function absoluteFiles({ repository, ...files }: PackFiles): PackFiles {
  if (repository === undefined) return files
  return { ...files, repository: absoluteSource(repository as RepoSource) }
}

function urlOf(source: string | URL): URL | null {
  const base = globalThis.document?.baseURI ?? globalThis.location?.href
  return URL.canParse(`${source}`, base) ? new URL(source, base) : null
}

/** Says where the modules of the package are; bundlers know this form of an address. */
export function offerBeside(): void {
  offerModules({
    reader: () => compiledAt(new URL('./wasm/packlens_reader.wasm', import.meta.url)),
    full: () => compiledAt(new URL('./wasm/packlens_bg.wasm', import.meta.url)),
    whole: (...parts) => whenReady(restLoader(), ({ wholeBeside }) => wholeBeside(...parts)),
  })
}
