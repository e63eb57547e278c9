/** Options of `rev-list` that filter objects, and say what happens to missing ones. */

import type { RevListQuestion } from '../../base/protocol.js'
import { bytesOfArgument } from './bytes.js'
import { fatal } from './exit.js'
import type { Flags } from './history-options.js'
import type { Reader } from './reader.js'

const MISSING: readonly string[] = ['error', 'allow-any', 'allow-promisor', 'print']

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
      this.#missing = arg.slice('--missing='.length)
      if (!MISSING.includes(this.#missing)) throw fatal(`packlens rev-list does not support ${arg}`)
    } else return null
    return 0
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
