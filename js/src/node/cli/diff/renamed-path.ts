/** A renamed path as `--numstat` and `--stat` print it: `old => new`. */
import type { Opened } from '../opening/command.js'

/** Returns both paths; what they begin and end with, names of directories, only once. */
export function renamedPath(old: string, path: string, quote: Opened['quote']): string {
  const [quotedOld, quotedPath] = [quote(old), quote(path)]
  if (quotedOld !== old || quotedPath !== path) return `${quotedOld} => ${quotedPath}`
  const begin = beginOf(old, path)
  const end = endOf(old, path, begin)
  const middle = (of: string) => of.slice(begin, Math.max(begin, of.length - end))
  const both = `${middle(old)} => ${middle(path)}`
  if (begin + end === 0) return both
  return `${old.slice(0, begin)}{${both}}${old.slice(old.length - end)}`
}

/** Returns how many characters of whole names both paths begin with, with the slash. */
function beginOf(old: string, path: string): number {
  let begin = 0
  for (let at = 0; at < old.length && old[at] === path[at]; at++) {
    if (old[at] === '/') begin = at + 1
  }
  return begin
}

/** Returns how many characters both end with, from a slash on; it may be that of the beginning. */
function endOf(old: string, path: string, begin: number): number {
  const least = begin === 0 ? 0 : begin - 1
  let end = 0
  for (let back = 1; old.length - back >= least && path.length - back >= least; back++) {
    const character = old[old.length - back]
    if (character !== path[path.length - back]) break
    if (character === '/') end = back
  }
  return end
}
