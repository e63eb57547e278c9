/** Bundles as repositories: their refs, and the pack behind them. */

import type { SessionOptions } from '../core-session.js'
import { PacklensError } from '../errors.js'
import type { MaybePromise } from '../maybe.js'
import { isPromise, whenReady } from '../maybe.js'
import type { RepoSource } from '../open.js'
import type { URL } from '../platform-types.js'
import { asking } from '../question.js'
import type { BundleHeader } from '../records.js'
import { decodeBundle } from '../records.js'
import { Session } from '../session.js'
import { besideStore } from './beside.js'
import type { ByteSource } from './bytes.js'
import { fileFrom } from './bytes.js'
import type { PackSource } from './packs.js'
import { addPacks, mapStore } from './packs.js'
import type { FileStore, StoredFile } from './store.js'

/**
 * A bundle, as `git bundle create` makes it, of version 2 or 3. Its refs are the
 * refs. What it builds on has to be in `repository` or in `packs`, if it does not hold a
 * whole history: opening it is `NOT_FOUND` if one of its prerequisites is not there.
 *
 * ```ts
 * const repo = await open({ bundle: await file.arrayBuffer(), repository: 'https://example.com/repo.git' })
 * ```
 */
export interface BundleSource {
  readonly bundle: ByteSource
  readonly packs?: readonly PackSource[] | undefined
  /** A repository whose objects are there as well, but none of its refs. */
  readonly repository?: RepoSource | string | URL | undefined
}

const PATH = 'bundle'

/** Where a repository has its refs, and what it says of itself. */
const OF_REFS = /^(config(\.worktree)?|[A-Z_]+|packed-refs|(refs|logs|reftable)(\/.*)?)$/

/** Reads the head of a bundle. @throws `CORRUPT`, `UNSUPPORTED`, `LIMIT` */
export function readBundle(file: StoredFile, options: SessionOptions): MaybePromise<BundleHeader> {
  const session = new Session(mapStore(new Map([[PATH, file]])), {
    ...options,
    objectFormat: 'sha1',
    environment: undefined,
    inOneTurn: true,
  })
  const ask = asking(session, { kind: 'bundle', path: PATH })
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
}

/** Opens a bundle as a store. */
export function bundleStore(
  { bundle, packs = [], repository }: BundleSource,
  options: SessionOptions,
  storeOfRepository: (source: never) => MaybePromise<FileStore>,
): MaybePromise<FileStore> {
  if (!bundle) throw new PacklensError('BAD_INPUT', 'there is no bundle: give its bytes')
  const file = fileFrom(bundle)
  return whenReady(readBundle(file, options), (header) => {
    const files = new Map<string, StoredFile>()
    addPacks(files, packs)
    const stem = 'objects/pack/pack-bundle'
    files.set(`${stem}.pack`, behind(file, header.packOffset))
    // As git takes it: what the filter left out is promised.
    if (header.filter) files.set(`${stem}.promisor`, fileFrom(new Uint8Array()))
    const format = `[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = ${header.objectFormat}\n`
    files.set('config', fileFrom(new TextEncoder().encode(format)))
    addRefs(files, header)
    const prerequisites = header.prerequisites.map(({ oid }) => oid)
    if (repository === undefined) return { ...mapStore(files), prerequisites }
    const passes = (path: string) => !OF_REFS.test(path)
    return whenReady(storeOfRepository(repository as never), (store) => ({
      ...besideStore(store, files, { passes }),
      prerequisites,
    }))
  })
}

/** What follows in a file from an offset on, as a file. */
function behind(file: StoredFile, start: number): StoredFile {
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
  throw new PacklensError('BAD_INPUT', 'a bundle that cannot be read by parts')
}

/** Refs as git would pack them, and `HEAD` beside them. */
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
