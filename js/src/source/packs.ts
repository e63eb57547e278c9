/** Packs on their own, with refs as a plain record. */
import { PacklensError } from '../base/errors.js'
import type { ByteSource } from './bytes.js'
import { fileFrom } from './bytes.js'
import type { FileStore, StoredFile } from './store.js'

/** A pack and its index. If the index is missing, it is made in memory. */
export interface PackSource {
  readonly pack: ByteSource
  readonly idx?: ByteSource | undefined
  /** Whether missing objects that the pack refers to are promised, as in a partial clone. */
  readonly promisor?: boolean | undefined
}

/**
 * Packs, and the refs of the repository.
 *
 * ```ts
 * const repo = await open({
 *   packs: [{ pack: await (await fetch('/a.pack')).arrayBuffer() }],
 *   refs: { HEAD: 'ref: refs/heads/main', 'refs/heads/main': oid },
 * })
 * ```
 */
export interface PacksSource {
  readonly packs: readonly PackSource[]
  /** Refnames and what they point at: an object id, or `ref: ` and a refname. */
  readonly refs?: Readonly<Record<string, string>> | undefined
  /** The hash of object ids. Default: `sha1`. */
  readonly objectFormat?: 'sha1' | 'sha256' | undefined
}

const DIRECTORY = 'objects/pack'

export function packsStore(source: PacksSource): FileStore {
  const files = new Map<string, StoredFile>()
  addPacks(files, source.packs)
  for (const [name, value] of Object.entries(source.refs ?? {})) {
    files.set(name, fileFrom(new TextEncoder().encode(`${value}\n`)))
  }
  return mapStore(files)
}

/** Adds packs at the paths that they have in a repository. */
export function addPacks(files: Map<string, StoredFile>, packs: readonly PackSource[]): void {
  if (!Array.isArray(packs)) {
    throw new PacklensError('BAD_INPUT', '`packs` must be an array of { pack, idx }')
  }
  packs.forEach(({ pack, idx, promisor }: PackSource, at) => {
    if (!pack) throw new PacklensError('BAD_INPUT', 'each of `packs` needs a `pack`')
    files.set(`${DIRECTORY}/pack-${at}.pack`, fileFrom(pack))
    if (idx) files.set(`${DIRECTORY}/pack-${at}.idx`, fileFrom(idx))
    if (promisor) files.set(`${DIRECTORY}/pack-${at}.promisor`, fileFrom(new Uint8Array()))
  })
}

/** Returns a store of the files of a map, by their paths. */
export function mapStore(files: ReadonlyMap<string, StoredFile>): FileStore {
  return {
    open: (path) => files.get(path) ?? null,
    list(directory) {
      const names = new Set<string>()
      for (const path of files.keys()) {
        if (!path.startsWith(`${directory}/`)) continue
        const rest = path.slice(directory.length + 1)
        const slash = rest.indexOf('/')
        names.add(slash < 0 ? rest : rest.slice(0, slash + 1))
      }
      return [...names]
    },
  }
}
