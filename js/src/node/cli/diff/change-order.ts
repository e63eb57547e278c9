/** `-O`, `--rotate-to` and `--skip-to`: in which order changes are printed, and from which on. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Option } from '../args/options.js'
import { fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { bytesOfArgument, fromBytes } from '../text/bytes.js'
import { Glob } from '../text/glob.js'
import type { DiffArgs } from './diff-args.js'

export interface ChangeOrder {
  /** The order file. */
  file?: string
  /** Its patterns, once it is read: changes are sorted by the first that their path matches. */
  globs?: readonly Glob[]
  /** The path of the change that is printed first, a character a byte. */
  start?: string
  /** The changes before that are not printed, instead of after all others. */
  skips?: boolean
  /** That there is no such change is an error; otherwise that of the next path is printed first. */
  isStrict?: boolean
}

/** What changes are ordered by. */
interface Placed {
  readonly pathBytes: Uint8Array
}

export function orderOptions(args: DiffArgs): Option[] {
  const set = (change: ChangeOrder) => {
    args.order = { ...args.order, ...change }
  }
  const start = (long: string, skips: boolean): Option => ({
    ...{ long, value: 'required' },
    set: (value = '') => set({ start: bytesOfArgument(value), skips }),
  })
  return [
    { ...{ short: 'O', value: 'required' }, set: (file = '') => set({ file }) },
    start('rotate-to', false),
    start('skip-to', true),
  ]
}

/** Reads the order file, if there is one; `isStrict` as in {@link ChangeOrder}. */
export function readOrder(args: DiffArgs, { cwd }: Io, isStrict: boolean): void {
  if (!args.order) return
  const { file } = args.order
  args.order = { ...args.order, isStrict, ...(file !== undefined && { globs: globsIn(cwd, file) }) }
}

/** Passes what `find` finds to `use`, in the order that was asked for, if one was. */
export function ordered<C extends Placed>(
  order: ChangeOrder | undefined,
  use: (change: C) => void,
  find: (found: (change: C) => void) => void,
): void {
  if (!order) {
    find(use)
    return
  }
  const changes: C[] = []
  find((change) => changes.push(change))
  for (const change of inOrder(changes, order)) use(change)
}

/** Returns changes in the order that was asked for. */
function inOrder<C extends Placed>(changes: readonly C[], order: ChangeOrder): readonly C[] {
  const { globs, start, skips = false, isStrict = false } = order
  const sorted = globs ? sortedBy(globs, changes) : changes
  if (start === undefined) return sorted
  const first = sorted.findIndex(({ pathBytes }) => {
    const path = fromBytes(pathBytes)
    return isStrict ? path === start : path >= start
  })
  if (first < 0) {
    if (isStrict && sorted.length > 0) throw fatal(`No such path '${start}' in the diff`)
    return sorted
  }
  return [...sorted.slice(first), ...(skips ? [] : sorted.slice(0, first))]
}

function sortedBy<C extends Placed>(globs: readonly Glob[], changes: readonly C[]): C[] {
  const ranked = changes.map((change) => ({
    change,
    rank: rankOf(globs, fromBytes(change.pathBytes)),
  }))
  return ranked.sort((one, other) => one.rank - other.rank).map(({ change }) => change)
}

/** Returns the number of the first pattern that matches a path, or a directory that it is in. */
function rankOf(globs: readonly Glob[], whole: string): number {
  const found = globs.findIndex((glob) => {
    for (let end = whole.length; end > 0; end = whole.lastIndexOf('/', end - 1)) {
      if (glob.fits(whole.slice(0, end))) return true
    }
    return false
  })
  return found < 0 ? globs.length : found
}

/** Reads an order file: a pattern a line, without empty lines and comments. */
function globsIn(cwd: string, file: string): Glob[] {
  let text: string
  try {
    text = readFileSync(path.resolve(cwd, file), 'latin1')
  } catch {
    throw fatal(`failed to read orderfile '${file}'`)
  }
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => new Glob(line))
}
