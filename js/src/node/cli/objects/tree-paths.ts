/** Matches the entries of trees with the paths that limit `ls-tree`. */

/** Whether an entry is listed, and whether the entries after it may be. */
export type Interest = 'all' | 'this' | 'no' | 'none-from-here'

/**
 * Returns whether the entry `name` of the tree at `base` is one of `paths`, below one, or
 * a folder of one. Like git, it relies on sorted trees.
 */
export function interestIn(
  paths: readonly string[],
  base: string,
  name: string,
  type: 'blob' | 'tree' | 'commit',
): Interest {
  if (paths.length === 0) return 'all'
  let mayFollow = false
  for (const path of [...paths].reverse()) {
    if (base.length >= path.length) {
      if (isFolderOf(path, base)) return 'all'
      continue
    }
    if (!path.startsWith(base)) continue
    const rest = path.slice(base.length)
    if (!mayFollow) {
      const common = Math.min(rest.length, name.length)
      if (rest.slice(0, common) < name.slice(0, common)) continue
      mayFollow = true
    }
    if (leadsTo(name, rest, type)) return 'this'
  }
  return mayFollow ? 'no' : 'none-from-here'
}

function isFolderOf(path: string, base: string): boolean {
  if (!base.startsWith(path)) return false
  return path === '' || path.endsWith('/') || base[path.length] === '/'
}

function leadsTo(name: string, rest: string, type: 'blob' | 'tree' | 'commit'): boolean {
  if (!rest.startsWith(name)) return false
  if (rest.length === name.length) return true
  if (rest[name.length] !== '/') return false
  return type === 'tree' || (type === 'commit' && rest.length === name.length + 1)
}

/** Returns whether one of `paths` is in the tree `name`, or is its name and a slash. */
export function goesInto(paths: readonly string[], base: string, name: string): boolean {
  return paths.some((path) => path.startsWith(`${base}${name}/`))
}
