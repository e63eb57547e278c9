/** Options of `rev-list` that filter objects, and say what happens to missing ones. */

import type { RevListQuestion } from '../../base/protocol.js'
import { bytesOfArgument } from './bytes.js'
import { fatal } from './exit.js'
import type { Reader } from './reader.js'

type Missing = NonNullable<RevListQuestion['missing']>

const MISSING: readonly string[] = ['error', 'allow-any', 'allow-promisor', 'print']

type Filtered = NonNullable<RevListQuestion['filtered']>[number]

const FLAGS: Readonly<Record<string, Filtered>> = {
  '--filter-provided-objects': 'filterProvidedObjects',
  '--filter-print-omitted': 'filterPrintOmitted',
}

export class ObjectFilterArgs {
  #filters: string[] = []
  readonly #filtered = new Set<Filtered>()
  #missing: Missing = 'error'

  /** Takes an option; returns 0, or `null` if it is none of these. */
  take(arg: string): number | null {
    const flag = FLAGS[arg]
    if (arg.startsWith('--filter=')) this.#filters.push(arg.slice('--filter='.length))
    else if (arg === '--no-filter') this.#filters = []
    else if (flag) this.#filtered.add(flag)
    else if (arg.startsWith('--missing=')) {
      const missing = arg.slice('--missing='.length)
      if (!MISSING.includes(missing)) throw fatal(`packlens rev-list does not support ${arg}`)
      this.#missing = missing as Missing
    } else return null
    return 0
  }

  /** Returns the fields of the question. */
  question(reader: Reader, { objects = false, useBitmaps = false }): Partial<RevListQuestion> {
    const hasFilter = this.#filters.length > 0
    if (hasFilter && !objects) throw fatal('object filtering requires --objects')
    if (useBitmaps && (hasFilter || this.#missing !== 'error')) {
      throw fatal(
        'packlens rev-list does not support --use-bitmap-index with --filter or --missing',
      )
    }
    return {
      objectFilters: reader.specs(this.#filters.map(bytesOfArgument)),
      filtered: [...this.#filtered],
      missing: this.#missing,
    }
  }
}
