/** Selects refs for `--branches=<pattern>` and similar options: git-rev-parse(1). */

import type { Reader } from '../repository/reader.js'
import { Glob } from '../text/glob.js'
import type { IsHidden } from './hidden-refs.js'
import { eachRef } from './ref-list.js'

const PREFIXES: Readonly<Record<string, string>> = {
  branches: 'refs/heads/',
  tags: 'refs/tags/',
  remotes: 'refs/remotes/',
}

/** The refs that one option selects. */
export interface RefSelection {
  /** The prefix of their names. */
  readonly prefix: string
  /** Whether names are excluded and shown without the prefix. */
  readonly strips: boolean
  readonly glob: Glob | null
}

export interface SelectedRef {
  readonly name: string
  /** The name as the option shows it: without the prefix, if the option strips it. */
  readonly shortName: string
  /** `null` if the ref is broken. */
  readonly oid: string | null
}

/** What options leave out: names as the option shows them that match, and hidden ones. */
export interface LeftOut {
  readonly globs: readonly Glob[]
  readonly isHidden: IsHidden
}

export const NOTHING_LEFT_OUT: LeftOut = { globs: [], isHidden: () => false }

/** Parses an option of one character per byte; `null` if it does not select refs. */
export function refSelection(option: string): RefSelection | null {
  if (option === '--all') return { prefix: 'refs/', strips: false, glob: null }
  const [, kind = '', pattern] = /^--(branches|tags|remotes|glob)(?:=(.*))?$/s.exec(option) ?? []
  const prefix = PREFIXES[kind]
  if (prefix !== undefined && pattern === undefined) return { prefix, strips: true, glob: null }
  if (pattern === undefined) return null
  if (prefix !== undefined) return { prefix, strips: true, glob: new Glob(whole(prefix + pattern)) }
  const full = pattern.startsWith('refs/') ? pattern : `refs/${pattern}`
  return { prefix: 'refs/', strips: false, glob: new Glob(whole(full)) }
}

/** Returns the whole pattern; one without wildcards matches everything below it. */
function whole(pattern: string): string {
  if (/[*?[]/.test(pattern)) return pattern
  return pattern.endsWith('/') ? `${pattern}*` : `${pattern}/*`
}

/** Passes the refs of an option to `use`, in the order of their names. */
export function eachSelected(
  reader: Reader,
  { prefix, strips, glob }: RefSelection,
  { globs, isHidden }: LeftOut,
  use: (ref: SelectedRef) => void,
): void {
  eachRef(reader, { prefix, badNames: true }, ({ name, oid, target }) => {
    const shortName = strips ? name.slice(prefix.length) : name
    const isDangling = oid === null && target !== null
    if (isDangling || (glob && !glob.fits(name))) return
    if (!globs.some((one) => one.fits(shortName)) && !isHidden(name)) use({ name, shortName, oid })
  })
}
