/** The refs that `--branches=<pattern>` and its like stand for: git-rev-parse(1). */
import { Glob } from './glob.js'
import type { Reader } from './reader.js'
import { eachRef } from './ref-list.js'

const PREFIXES: Readonly<Record<string, string>> = {
  branches: 'refs/heads/',
  tags: 'refs/tags/',
  remotes: 'refs/remotes/',
}

/** The refs of one option. */
export interface RefSelection {
  /** What their names begin with. */
  readonly prefix: string
  /** Whether names are taken and shown without that. */
  readonly strips: boolean
  readonly glob: Glob | null
}

export interface SelectedRef {
  readonly name: string
  /** The name as the option has it: without its prefix, if it has one. */
  readonly shortName: string
  /** `null` if the ref is broken. */
  readonly oid: string | null
}

/** Reads an option, a character a byte; `null` if it stands for no refs. */
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

/** A pattern without `*` and the like stands for all that is below it. */
function whole(pattern: string): string {
  if (/[*?[]/.test(pattern)) return pattern
  return pattern.endsWith('/') ? `${pattern}*` : `${pattern}/*`
}

/** Hands the refs of an option to `use`, in the order of their names. */
export function eachSelected(
  reader: Reader,
  { prefix, strips, glob }: RefSelection,
  excluded: readonly Glob[],
  use: (ref: SelectedRef) => void,
): void {
  eachRef(reader, { prefix, badNames: true }, ({ name, oid, target }) => {
    const shortName = strips ? name.slice(prefix.length) : name
    const isDangling = oid === null && target !== null
    if (isDangling || (glob && !glob.fits(name))) return
    if (!excluded.some((one) => one.fits(shortName))) use({ name, shortName, oid })
  })
}
