import type { Repository, TreeEntry } from 'packlens'

/**
 * Returns the entry of a path, given as its names, below a commit or a tree; `null` if there is
 * none. Names are compared as bytes. Links are not followed.
 */
export async function entryAt(
  repo: Repository,
  root: string,
  names: readonly Uint8Array[],
): Promise<TreeEntry | null> {
  let tree: string | null = root
  let entry: TreeEntry | undefined
  for (const name of names) {
    if (tree === null) return null
    const { entries } = await repo.readTree(tree)
    entry = entries.find(({ nameBytes }) => isEqual(nameBytes, name))
    if (!entry) return null
    tree = entry.isTree ? entry.oid : null
  }
  return entry ?? null
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
