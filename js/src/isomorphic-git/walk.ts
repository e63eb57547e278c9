/** Walks several trees side by side. */
import { PacklensError } from '../index.js'
import { called } from './calls.js'
import type { RepositoryParameters } from './parameters.js'
import { placeOf } from './parameters.js'
import { compareText } from './text.js'
import type { EntryWalker, Walker, WalkerEntry } from './walkers.js'
import { begun } from './walkers.js'

// biome-ignore-start lint/suspicious/noExplicitAny: results have the types that `map` returns

/** Called with each path and its entry in each tree, `null` where it has none. */
export type WalkerMap = (filename: string, entries: (WalkerEntry | null)[]) => Promise<any>

/** Called with the result of a directory and those of its entries. */
export type WalkerReduce = (parent: any, children: any[]) => Promise<any>

/** Calls `walk` for the entries of a directory, each a list with its path in each tree. */
export type WalkerIterate = (
  walk: (children: (string | null)[]) => Promise<any>,
  children: Iterable<(string | null)[]>,
) => Promise<any[]>

/** The parameters of {@link walk}. */
export interface WalkParameters extends RepositoryParameters {
  readonly trees: readonly Walker[]
  readonly map?: WalkerMap | undefined
  readonly reduce?: WalkerReduce | undefined
  readonly iterate?: WalkerIterate | undefined
}

const everyEntry: WalkerMap = async (_, entries) => entries

const flattened: WalkerReduce = async (parent, children) => {
  const flat = children.flat()
  if (parent !== undefined) flat.unshift(parent)
  return flat
}

const allAtOnce: WalkerIterate = (walk, children) => Promise.all([...children].map(walk))

/**
 * Walks the union of trees, directories before their entries. `map` makes a result of each path,
 * or returns `null` to leave out what is below it; `reduce` joins those of a directory.
 */
export function walk(parameters: WalkParameters): Promise<any> {
  const { trees, map = everyEntry, reduce = flattened, iterate = allAtOnce } = parameters
  return called('walk', async () => {
    const { fs, gitdir } = placeOf(parameters, ['trees'])
    const { dir, cache } = parameters
    const walkers = trees.map((tree) => begun(tree, { fs, dir, gitdir, cache }) ?? refused())
    const visit = async (paths: readonly (string | null)[]): Promise<any> => {
      const entries = paths.map((path, at) => entryOf(walkers[at], path))
      const listed = await Promise.all(entries.map((entry, at) => namesIn(walkers[at], entry)))
      const path = paths.find((path) => path !== null) as string
      const parent = await map(path, entries)
      if (parent === null) return undefined
      const children = await iterate(visit, union(listed))
      return reduce(
        parent,
        children.filter((child) => child !== undefined),
      )
    }
    return visit(walkers.map(() => '.'))
  })
}

// biome-ignore-end lint/suspicious/noExplicitAny: see above

function refused(): never {
  const what =
    "this is no walker of packlens: take TREE(), STAGE() and WORKDIR() from it, or isomorphic-git's own `walk`"
  throw new PacklensError('UNSUPPORTED', what)
}

function entryOf(walker: EntryWalker | undefined, path: string | null): WalkerEntry | null {
  return walker && path !== null ? new walker.ConstructEntry(path) : null
}

async function namesIn(
  walker: EntryWalker | undefined,
  entry: WalkerEntry | null,
): Promise<readonly string[]> {
  return (entry && (await walker?.readdir(entry))) ?? []
}

/** Merges sorted lists: each result has a path in the lists that contain it, `null` elsewhere. */
function* union(lists: readonly (readonly string[])[]): Generator<(string | null)[], undefined> {
  const positions = lists.map(() => 0)
  for (;;) {
    const heads = lists.map((list, at) => list[positions[at] ?? 0])
    const [first] = heads.filter((head) => head !== undefined).sort(compareText)
    if (first === undefined) return
    yield heads.map((head, at) => {
      if (head !== first) return null
      positions[at] = (positions[at] ?? 0) + 1
      return first
    })
  }
}
