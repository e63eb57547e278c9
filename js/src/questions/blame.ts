/** Finds the commits that last changed the lines of a file. */

import { encodeTexts } from '../base/specs.js'
import type { BlamedLines } from '../base/types.js'
import { decodeBlamed } from '../objects/blamed.js'
import { BLAME, pathOrBytes } from '../options/full-tables.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { secondsOf } from './history.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'
import type { DiffTextOptions } from './text-diff.js'
import { textAsked } from './text-diff.js'

/** The options of {@link Repository.blame}. */
export interface BlameOptions
  extends Pick<DiffTextOptions, 'signal' | 'algorithm' | 'ignoreSpace' | 'indentHeuristic'> {
  /** Only follows the first parents of merges. Default: false. */
  readonly firstParent?: boolean | undefined
  /** Lines are not followed to commits that these revisions reach. Default: none. */
  readonly exclude?: string | Iterable<string> | undefined
  /** Lines are not followed beyond commits from before this date, a number in seconds since 1970. */
  readonly since?: Date | number | undefined
  /**
   * Follows lines from the start of a range `A..B` to its end: the last commits that have them.
   * Default: false.
   */
  readonly reverse?: boolean | undefined
  /**
   * Commits whose changes are not taken for an answer, such as those that only formatted code:
   * their lines are guessed to come from similar older ones. Default: none.
   */
  readonly ignore?: string | Iterable<string> | undefined
  /** The lines that are asked for: pairs of the first and the last one, from 1. Default: all. */
  readonly lines?: readonly (readonly [first: number, last: number])[] | undefined
  /** Also finds lines that were moved in the file (`-M`). Default: false, or as `copies`. */
  readonly moves?: boolean | undefined
  /**
   * Also finds lines that were copied from other files, and that were moved: from files that the
   * same commit changed (`changed`: `-C`), from any file if the commit created the file
   * (`created`: `-C -C`), or from any file in any commit (`any`: `-C -C -C`), which takes long.
   */
  readonly copies?: 'changed' | 'created' | 'any' | undefined
  /** Moved lines must have more letters and digits than this. Default: 20. */
  readonly moveScore?: number | undefined
  /** Copied lines must have more letters and digits than this. Default: 40. */
  readonly copyScore?: number | undefined
}

/** Small, so that the first lines come early. */
const PAGE = 4 << 10

export function blame(
  { engine }: RepositoryContext,
  spec: string,
  path: string | Uint8Array,
  options: BlameOptions = {},
): Listing<BlamedLines> {
  const begin = () => {
    checkOptions('blame', options, BLAME)
    checkArgument('blame', 'the revision', spec, text)
    checkArgument('blame', 'the path', path, pathOrBytes)
    const { firstParent, lines, copies, moveScore = 20, copyScore = 40 } = options
    const sought = copies !== undefined || options.moves ? moveScore : undefined
    const asked = { ...textAsked(options), firstParent, ranges: encodedLines(lines ?? []) }
    const { reverse, since, exclude, ignore } = options
    const ends = { excluded: encodeTexts(exclude), since: secondsOf(since), reverse }
    const limits = { ...ends, ignored: encodeTexts(ignore) }
    const elsewhere = { moveScore: sought, copies, copyScore }
    return engine.pages({ kind: 'blame', spec, path, ...asked, ...limits, ...elsewhere })
  }
  return { begin, rowsIn: decodeBlamed, capacity: PAGE, options }
}

/** Writes the ranges as the core takes them: from 0, with the line after the last. */
export function encodedLines(lines: readonly (readonly [number, number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(lines.length * 8))
  for (const [at, [first, last]] of lines.entries()) {
    view.setUint32(at * 8, first - 1, true)
    view.setUint32(at * 8 + 4, last, true)
  }
  return new Uint8Array(view.buffer)
}
