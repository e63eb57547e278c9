/** Walkers: objects that stand for a tree, which a walk asks for their entries. */
import type { FsClient, Repository } from '../index.js'
import { unlessAbsent } from './absent.js'
import { called } from './calls.js'
import { peeled } from './objects.js'
import { placeOf } from './parameters.js'
import { inRepository } from './repositories.js'
import { resolveOrUnborn } from './resolve.js'
import { treeOf } from './shapes.js'

/** What a walk gives its walkers. */
export interface WalkContext {
  readonly fs: FsClient
  readonly dir?: string | undefined
  readonly gitdir: string
  readonly cache?: object | undefined
}

/** What the file system said of a file. */
export interface WalkerStat {
  readonly ctimeSeconds: number
  readonly ctimeNanoseconds: number
  readonly mtimeSeconds: number
  readonly mtimeNanoseconds: number
  readonly dev: number
  readonly ino: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
  readonly size: number
}

/** A file or directory in one of the trees of a walk. */
export interface WalkerEntry {
  readonly _fullpath: string
  type(): Promise<'tree' | 'blob' | 'special' | 'commit'>
  /** One of the modes that git writes, such as `0o100644`; `undefined` for a directory of the index. */
  mode(): Promise<number | undefined>
  oid(): Promise<string | undefined>
  /** The content of a blob; `undefined` for others. */
  content(): Promise<Uint8Array | undefined>
  /** What the index or the file system says of a file; `undefined` in trees: objects have no times. */
  stat(): Promise<WalkerStat | undefined>
}

/** The entries of one tree of a walk. */
export interface EntryWalker {
  ConstructEntry: new (path: string) => WalkerEntry
  /** Returns the paths in a directory; `null` if the entry is none. */
  readdir(entry: WalkerEntry): Promise<string[] | null>
}

/** A tree to walk, of {@link TREE}, {@link STAGE} or {@link WORKDIR}. */
export type Walker = object

export type Begin = (context: WalkContext) => EntryWalker

/** The description of the symbol by which isomorphic-git's walk finds the function of a walker. */
const DESCRIPTION = 'GitWalkSymbol'

const walkers = new WeakMap<Walker, Begin>()

/**
 * Returns a walker over the tree of a revision. isomorphic-git's own `walk` takes it, too:
 *
 * ```ts
 * import { STAGE, walk, WORKDIR } from 'isomorphic-git'
 * import { TREE } from 'packlens/isomorphic-git'
 *
 * await walk({ fs, dir, trees: [TREE({ ref: 'HEAD' }), WORKDIR(), STAGE()], map })
 * ```
 */
export function TREE({ ref = 'HEAD' }: { ref?: string | undefined } = {}): Walker {
  return walkerOf((context) => new TreeWalker(context, ref))
}

/** Returns what stands for a tree in a walk, which calls `begin`. */
export function walkerOf(begin: Begin): Walker {
  // Only a module of isomorphic-git has its symbol, and a page may have none or several.
  const walker = new Proxy(Object.create(null), {
    get: (_, key) =>
      typeof key === 'symbol' && key.description === DESCRIPTION ? begin : undefined,
  })
  walkers.set(walker, begin)
  return walker
}

/** Begins a walk over a walker of packlens; `undefined` for others. */
export function begun(walker: Walker, context: WalkContext): EntryWalker | undefined {
  return walkers.get(walker)?.(context)
}

interface Found {
  readonly oid: string
  readonly type: 'tree' | 'blob' | 'commit'
  readonly mode: number
}

class TreeWalker implements EntryWalker {
  readonly ConstructEntry: EntryWalker['ConstructEntry']
  readonly #context: WalkContext
  readonly #ref: string
  readonly #found = new Map<string, Found>()
  #root: Promise<Found> | undefined

  constructor(context: WalkContext, ref: string) {
    this.#context = context
    this.#ref = ref
    const walker = this
    this.ConstructEntry = class TreeEntry implements WalkerEntry {
      constructor(readonly _fullpath: string) {}

      async type(): Promise<'tree' | 'blob' | 'commit'> {
        return (await walker.#at(this)).type
      }

      async mode(): Promise<number> {
        return (await walker.#at(this)).mode
      }

      async oid(): Promise<string | undefined> {
        return (await walker.#at(this)).oid
      }

      async content(): Promise<Uint8Array | undefined> {
        const { type, oid } = await walker.#at(this)
        if (type !== 'blob') return undefined
        return walker.#asked(async (repo) => (await repo.readBlob(oid)).data)
      }

      async stat(): Promise<undefined> {}
    }
  }

  async readdir(entry: WalkerEntry): Promise<string[] | null> {
    const { type, oid } = await this.#at(entry)
    if (type !== 'tree') return null
    const tree = await this.#asked(async (repo) => treeOf(await repo.readTree(oid)))
    const before = entry._fullpath === '.' ? '' : `${entry._fullpath}/`
    return tree.map(({ path, oid, type, mode }) => {
      const fullpath = before + path
      this.#found.set(fullpath, { oid, type, mode: writtenMode(Number.parseInt(mode, 8)) })
      return fullpath
    })
  }

  async #at({ _fullpath }: WalkerEntry): Promise<Found> {
    if (_fullpath === '.') {
      this.#root ??= this.#asked((repo) => rootOf(repo, this.#ref))
      return this.#root
    }
    const found = this.#found.get(_fullpath)
    if (!found) throw new Error(`${_fullpath} was not walked`)
    return found
  }

  #asked<T>(question: (repo: Repository) => Promise<T>): Promise<T> {
    return called('walk', () => inRepository(placeOf(this.#context, []), question))
  }
}

async function rootOf(repo: Repository, ref: string): Promise<Found> {
  const oid = (await resolveOrUnborn(repo, ref)) ?? (await emptyTree(repo))
  const tree = await peeled(repo, await repo.read(oid), 'tree')
  return { oid: tree.oid, type: 'tree', mode: 0o40000 }
}

/** The tree that git knows without storing it, as SHA-1 and SHA-256 name it. */
const EMPTY_TREES = [
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
] as const

async function emptyTree(repo: Repository): Promise<string> {
  const [sha1, sha256] = EMPTY_TREES
  return (await unlessAbsent(repo.info(sha1))) ? sha1 : sha256
}

/** Returns the mode that git writes today for one of old trees, such as 0o100664. */
function writtenMode(mode: number): number {
  if (mode >> 12 !== 0o10) return mode & 0o170000
  return mode & 0o111 ? 0o100755 : 0o100644
}
