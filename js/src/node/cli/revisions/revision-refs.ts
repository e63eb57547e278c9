/** The options of histories that select refs, and those that exclude some: git-rev-list(1). */

import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { HiddenRefs, NONE_HIDDEN } from '../refs/hidden-refs.js'
import { eachSelected, refSelection } from '../refs/ref-selection.js'
import { loggedObjects } from '../refs/reflog-walk.js'
import type { Reader } from '../repository/reader.js'
import { bytesOfArgument } from '../text/bytes.js'
import { Glob } from '../text/glob.js'

/** Options whose value may be the next argument. */
const WITH_VALUE = ['--exclude', '--exclude-hidden', '--glob']

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
  readonly #hidden: HiddenRefs

  constructor(opened: Opened) {
    this.#reader = opened.reader
    this.#hidden = new HiddenRefs(opened)
  }

  /** Takes an option; returns the refs that it selects, how many arguments, or `null`. */
  take([arg = '', next]: readonly string[]): SelectedRefs | number | null {
    const joined = WITH_VALUE.includes(arg) ? `${arg}=${requiredValue(arg, next)}` : arg
    const more = joined === arg ? 0 : 1
    if (joined.startsWith('--exclude=')) {
      this.#excluded.push(new Glob(bytesOfArgument(joined.slice('--exclude='.length))))
      return more
    }
    if (joined.startsWith('--exclude-hidden=')) {
      this.#hidden.choose(joined.slice('--exclude-hidden='.length))
      return more
    }
    if (joined === '--reflog') {
      const refs = () => loggedObjects(this.#reader)
      return { pseudo: null, refs, more }
    }
    const selection = refSelection(bytesOfArgument(joined))
    if (selection === null) return null
    const isHidden = this.#hidden.taken(joined)
    if (isHidden === null) return null
    const globs = this.#excluded
    this.#excluded = []
    const isWhole = globs.length === 0 && isHidden === NONE_HIDDEN
    const pseudo = OF_CORE.includes(joined) && isWhole ? joined : null
    const refs = () => {
      const found: NamedObject[] = []
      eachSelected(this.#reader, selection, { globs, isHidden }, ({ name, oid }) => {
        if (oid !== null) found.push({ name, oid })
      })
      const isOut = globs.some((glob) => glob.fits('HEAD')) || isHidden('HEAD')
      const head = joined === '--all' && !isOut ? this.#reader.find('HEAD') : null
      return head === null ? found : [...found, { name: 'HEAD', oid: head }]
    }
    return { pseudo, refs, more }
  }
}

function requiredValue(option: string, value: string | undefined): string {
  if (value === undefined) throw fatal(`Option '${option}' requires a value`)
  return value
}
