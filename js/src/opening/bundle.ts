/** Opens bundles as repositories: their refs, and the pack after the header. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import type { URL } from '../base/platform-types.js'
import type { BundleHeader } from '../objects/bundle-header.js'
import { decodeBundle } from '../objects/bundle-header.js'
import type { SessionOptions } from '../session/core-session.js'
import { fullInstance } from '../session/modules.js'
import { questionCall } from '../session/question.js'
import { Session } from '../session/session.js'
import type { ByteSource } from '../source/bytes.js'
import { fileFrom } from '../source/bytes.js'
import { overlayStore } from '../source/overlay.js'
import type { PackSource } from '../source/packs.js'
import { addPacks, mapStore } from '../source/packs.js'
import type { FileStore, StoredFile } from '../source/store.js'
import type { RepoSource } from './open.js'

/**
 * A bundle of version 2 or 3, as `git bundle create` writes it. Its refs are those of the
 * repository. The prerequisites of a bundle without a whole history have to be in `repository`
 * or `packs`: opening fails with `NOT_FOUND` if one is missing.
 *
 * ```ts
 * const repo = await open({ bundle: await file.arrayBuffer(), repository: 'https://example.com/repo.git' })
 * ```
 */
export interface BundleSource {
  readonly bundle: ByteSource
  readonly packs?: readonly PackSource[] | undefined
  /** A repository whose objects can be read too; its refs and config are ignored. */
  readonly repository?: RepoSource | string | URL | undefined
}

const PATH = 'bundle'

/** The paths of a repository's refs and config, which the bundle replaces. */
const OF_REFS = /^(config(\.worktree)?|[A-Z_]+|packed-refs|(refs|logs|reftable)(\/.*)?)$/

/** Reads the header of a bundle. @throws `CORRUPT`, `UNSUPPORTED`, `LIMIT` */
export function readBundle(file: StoredFile, options: SessionOptions): MaybePromise<BundleHeader> {
  const ask = questionCall({ kind: 'bundle', path: PATH })
  const resolvedOptions = {
    ...options,
    objectFormat: 'sha1',
    environment: undefined,
    inOneTurn: true,
  } as const
  // Only the full module reads bundles.
  return whenReady(fullInstance(), (instance) => {
    const session = new Session(mapStore(new Map([[PATH, file]])), resolvedOptions, instance)
    const closing = <T>(value: T): T => {
      session.close()
      return value
    }
    try {
      const header = session.ask(ask, () => decodeBundle(new Uint8Array(session.takeOutput())))
      if (!isPromise(header)) return closing(header)
      return header.finally(() => session.close())
    } catch (error) {
      throw closing(error)
    }
  })
}

/** Opens a bundle as a store. */
export function bundleStore(
  { bundle, packs = [], repository }: BundleSource,
  options: SessionOptions,
  storeOfRepository: (source: never) => MaybePromise<FileStore>,
): MaybePromise<FileStore> {
  if (!bundle) throw new PacklensError('BAD_INPUT', '`bundle` is missing: give its bytes')
  const file = fileFrom(bundle)
  return whenReady(readBundle(file, options), (header) => {
    const files = new Map<string, StoredFile>()
    addPacks(files, packs)
    const stem = 'objects/pack/pack-bundle'
    files.set(`${stem}.pack`, sliceFrom(file, header.packOffset))
    // As in git, objects that the filter excluded are promised.
    if (header.filter) files.set(`${stem}.promisor`, fileFrom(new Uint8Array()))
    const format = `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = ${header.objectFormat}\n`
    files.set('config', fileFrom(new TextEncoder().encode(format)))
    addRefs(files, header)
    const prerequisites = header.prerequisites.map(({ oid }) => oid)
    if (repository === undefined) return { ...mapStore(files), prerequisites }
    const passes = (path: string) => !OF_REFS.test(path)
    return whenReady(storeOfRepository(repository as never), (store) => ({
      ...overlayStore(store, files, { passes }),
      prerequisites,
    }))
  })
}

/** Returns the bytes of a file from an offset on, as a file. */
function sliceFrom(file: StoredFile, start: number): StoredFile {
  const facts = { size: file.size - start, stamp: file.stamp, blockSize: file.blockSize }
  if ('readInto' in file) {
    return { ...facts, readInto: (offset, target) => file.readInto(start + offset, target) }
  }
  if ('read' in file) {
    return {
      ...facts,
      read: (offset, length, options) => file.read(start + offset, length, options),
    }
  }
  throw new PacklensError('BAD_INPUT', 'this bundle cannot be read in ranges')
}

/** Adds the refs as a file `packed-refs`, and `HEAD` as a file of its own. */
function addRefs(files: Map<string, StoredFile>, { refs }: BundleHeader): void {
  const lines = new Map<string, string>()
  for (const { oid, text } of refs) {
    const name = Array.from(text, (byte) => String.fromCharCode(byte)).join('')
    if (name === 'HEAD') files.set(name, fileFrom(new TextEncoder().encode(`${oid}\n`)))
    else lines.set(name, `${oid} ${name}\n`)
  }
  const sorted = [...lines].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
  const packed = `# pack-refs with: sorted \n${sorted.join('')}`
  files.set('packed-refs', fileFrom(Uint8Array.from(packed, (byte) => byte.charCodeAt(0))))
}
