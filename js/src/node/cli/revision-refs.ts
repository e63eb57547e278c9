/** The options of histories that select refs, and those that exclude some: git-rev-list(1). */
import { bytesOfArgument } from './bytes.js'
import { fatal } from './exit.js'
import { Glob } from './glob.js'
import type { Reader } from './reader.js'
import { eachSelected, refSelection } from './ref-selection.js'

/** Options that the core takes among the revisions, because their order matters. */
const OF_CORE = ['--all', '--branches', '--tags', '--remotes']

/** An object that a revision names. */
export interface NamedObject {
  readonly name: string
  readonly oid: string
}

export interface SelectedRefs {
  /** The option, if the core can take it; otherwise the refs have to be named. */
  readonly pseudo: string | null
  readonly refs: () => readonly NamedObject[]
  /** How many of the arguments after it belong to the option. */
  readonly more: number
}

export class RevisionRefs {
  readonly #reader: Reader
  #excluded: Glob[] = []

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Takes an option; returns the refs that it selects, how many arguments, or `null`. */
  take([arg = '', next]: readonly string[]): SelectedRefs | number | null {
    const joined =
      arg === '--exclude' || arg === '--glob' ? `${arg}=${requiredValue(arg, next)}` : arg
    const more = joined === arg ? 0 : 1
    if (joined.startsWith('--exclude=')) {
      this.#excluded.push(new Glob(bytesOfArgument(joined.slice('--exclude='.length))))
      return more
    }
    const selection = refSelection(bytesOfArgument(joined))
    if (selection === null) return null
    const excluded = this.#excluded
    this.#excluded = []
    const pseudo = OF_CORE.includes(joined) && excluded.length === 0 ? joined : null
    const refs = () => {
      const found: NamedObject[] = []
      eachSelected(this.#reader, selection, excluded, ({ name, oid }) => {
        if (oid !== null) found.push({ name, oid })
      })
      const isAll = joined === '--all' && !excluded.some((glob) => glob.fits('HEAD'))
      const head = isAll ? this.#reader.find('HEAD') : null
      return head === null ? found : [...found, { name: 'HEAD', oid: head }]
    }
    return { pseudo, refs, more }
  }
}

function requiredValue(option: string, value: string | undefined): string {
  if (value === undefined) throw fatal(`Option '${option}' requires a value`)
  return value
}
