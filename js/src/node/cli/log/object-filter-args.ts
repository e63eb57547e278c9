/** Options of `rev-list` that filter objects, and say what happens to missing ones. */

import type { RevListQuestion } from '../../../base/protocol.js'
import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import type { Reader } from '../repository/reader.js'
import { bytesOfArgument, fromBytes, toBytes, unquotePath } from '../text/bytes.js'
import { bitmapFilter, type Found } from './bitmap-filter.js'
import type { Flags } from './history-options.js'

const MISSING: readonly string[] = [
  ...['error', 'allow-any', 'allow-promisor', 'print', 'print-info'],
]

/** A line about an object that is missing, whose path the core has put into quotes. */
const QUOTED = /^(\?[0-9a-f]+ path=)(".*")( type=.*)?$/gm

const OMITTED = '--filter-print-omitted'
const FLAGS: readonly string[] = ['--filter-provided-objects', OMITTED]

type Keeps = (object: Found) => boolean

export class ObjectFilterArgs {
  #filters: string[] = []
  readonly #flags = new Set<string>()
  #missing = 'error'

  /** Takes an option; returns 0, or `null` if it is none of these. */
  take(arg: string): number | null {
    if (arg.startsWith('--filter=')) this.#filters.push(arg)
    else if (arg === '--no-filter') this.#filters = []
    else if (FLAGS.includes(arg)) this.#flags.add(arg)
    else if (arg.startsWith('--missing=')) {
      // git ignores other words.
      const word = arg.slice('--missing='.length)
      if (MISSING.includes(word)) this.#missing = word
    } else return null
    return 0
  }

  /** Whether objects may be missing, as the last of some arguments says. */
  static mayMiss(args: readonly string[]): boolean {
    const asked = new ObjectFilterArgs()
    for (const arg of args) if (arg.startsWith('--missing=')) asked.take(arg)
    return asked.#missing !== 'error'
  }

  /** Whether omitted objects are printed. */
  get printsOmitted(): boolean {
    return this.#flags.has(OMITTED)
  }

  /** Quotes the paths of a page as the configuration says. */
  quoted(page: Uint8Array, quote: Opened['quote']): Uint8Array {
    if (this.#missing !== 'print-info') return page
    const text = fromBytes(page).replace(QUOTED, (_, before: string, path: string, after = '') => {
      const name = unquotePath(path) ?? ''
      const shown = quote(name)
      const isPlain = shown === name && name.includes(' ')
      return `${before}${isPlain ? `"${name}"` : shown}${after}`
    })
    return toBytes(text)
  }

  /**
   * Returns which objects of a list by bitmaps pass the filters. As in git, omitted and missing
   * objects are not printed then. `null` if there are no filters, or if they ask for paths.
   *
   * @param requested returns the ids that pass any filter
   */
  keepsOfBitmaps(requested: () => ReadonlySet<string>): Keeps | null {
    if (this.#filters.length === 0 && this.#missing === 'error') return null
    const passes = bitmapFilter(this.#filters.map((filter) => filter.slice('--filter='.length)))
    if (!passes || this.#flags.has('--filter-provided-objects')) return passes
    const ids = requested()
    return (object) => passes(object) || ids.has(object.oid)
  }

  /** Returns the fields of the question. */
  question(reader: Reader, { objects = false }: Flags): Partial<RevListQuestion> {
    const hasFilter = this.#filters.length > 0
    if (hasFilter && !objects) throw fatal('object filtering requires --objects')
    if (!hasFilter && this.#missing === 'error') return {}
    // A walk counts as many objects as bitmaps do; what it lists has another order, and paths:
    // that is asked for where bitmaps cannot answer, see `keepsOfBitmaps`.
    const args = [...this.#filters, ...this.#flags, `--missing=${this.#missing}`]
    return {
      useBitmaps: false,
      filtered: reader.specs(args.map((arg) => bytesOfArgument(arg.slice('--'.length)))),
    }
  }
}
