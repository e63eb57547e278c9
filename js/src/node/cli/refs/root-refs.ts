/** `for-each-ref --include-root-refs`: the refs beside `refs/`, such as `HEAD` and `ORIG_HEAD`. */
import * as fs from 'node:fs'
import type { Opened } from '../opening/command.js'
import { bytesOfArgument } from '../text/bytes.js'
import { Glob } from '../text/glob.js'
import type { ListedRef } from './ref-list.js'
import { readRef } from './refnames.js'

/** Root refs whose names do not end with `_HEAD`. */
const NAMED = [
  ...['HEAD', 'AUTO_MERGE', 'BISECT_EXPECTED_REV', 'MERGE_AUTOSTASH'],
  ...['NOTES_MERGE_PARTIAL', 'NOTES_MERGE_REF'],
]

/** Root refs that git writes, which reftables are looked through for: these list no others. */
const OFTEN = [...NAMED, 'CHERRY_PICK_HEAD', 'ORIG_HEAD', 'REBASE_HEAD', 'REVERT_HEAD']

/** Files that are no refs: each may have several ids, or words after an id. */
const OTHERS = ['FETCH_HEAD', 'MERGE_HEAD']

const isRoot = (name: string) =>
  NAMED.includes(name) || (/^[A-Z_-]+_HEAD$/.test(name) && !OTHERS.includes(name))

interface Limits {
  readonly patterns: readonly string[]
  readonly exclude: readonly string[]
  readonly ignoreCase: boolean
}

/** Returns the root refs that some patterns select, in the order of their names. */
export function rootRefs(
  { reader, place }: Opened,
  { patterns, exclude, ignoreCase }: Limits,
): ListedRef[] {
  const cased = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  const fits = (pattern: string, name: string) => new Glob(cased(pattern)).fits(cased(name))
  const isListed = (name: string) =>
    (patterns.length === 0 || patterns.some((pattern) => fits(pattern, name))) &&
    !exclude.some((pattern) => fits(pattern, name))
  const names = new Set([...fs.readdirSync(place.gitDir).filter(isRoot), ...OFTEN])
  return [...names].sort().flatMap((name) => {
    const found = isListed(name) ? readRef(reader, name) : null
    if (!found) return []
    const target = found.target === null ? null : bytesOfArgument(found.target)
    return [{ name, oid: found.oid, target, peeled: null }]
  })
}
