/** Options of `rev-list` that filter objects, and say what happens to missing ones. */

import type { RevListQuestion } from '../../../base/protocol.js'
import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import type { Reader } from '../repository/reader.js'
import { bytesOfArgument, fromBytes, toBytes, unquotePath } from '../text/bytes.js'
import type { Flags } from './history-options.js'

const MISSING: readonly string[] = [
  ...['error', 'allow-any', 'allow-promisor', 'print', 'print-info'],
]

/** A line about an object that is missing, whose path the core has put into quotes. */
const QUOTED = /^(\?[0-9a-f]+ path=)(".*")( type=.*)?$/gm

const OMITTED = '--filter-print-omitted'
const FLAGS: readonly string[] = ['--filter-provided-objects', OMITTED]

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

  /** Returns the fields of the question. */
  question(
    reader: Reader,
    { count = false, objects = false, useBitmaps = false }: Flags,
  ): Partial<RevListQuestion> {
    const hasFilter = this.#filters.length > 0
    if (hasFilter && !objects) throw fatal('object filtering requires --objects')
    if (!hasFilter && this.#missing === 'error') return {}
    // A walk counts as many objects as bitmaps do, but lists them in another order, and with paths.
    const isCounted = count && this.#missing === 'error' && !this.#flags.has(OMITTED)
    if (useBitmaps && !isCounted) {
      throw fatal(
        'packlens rev-list does not support --use-bitmap-index with --filter or --missing',
      )
    }
    const args = [...this.#filters, ...this.#flags, `--missing=${this.#missing}`]
    return {
      useBitmaps: false,
      filtered: reader.specs(args.map((arg) => bytesOfArgument(arg.slice('--'.length)))),
    }
  }
}
