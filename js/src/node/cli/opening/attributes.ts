/** Where attributes of files are read from: `--attr-source`, or what a clean work tree has. */
import { fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import type { Place } from '../repository/place.js'
import type { Reader } from '../repository/reader.js'

export class AttributeSource {
  readonly #io: Io
  readonly #place: Place
  readonly #reader: Reader
  #tree: string | undefined

  constructor(io: Io, place: Place, reader: Reader) {
    this.#io = io
    this.#place = place
    this.#reader = reader
  }

  /** The id of the tree whose `.gitattributes` count; empty for `info/attributes` alone. */
  get tree(): string {
    this.#tree ??= this.#find()
    return this.#tree
  }

  #find(): string {
    const named = this.#io.env.GIT_ATTR_SOURCE
    if (named !== undefined) {
      const tree = this.#reader.find(`${named}^{tree}`)
      if (tree === null) throw fatal('bad --attr-source or GIT_ATTR_SOURCE')
      return tree
    }
    // git reads the work tree here. This is what it has if nothing there was changed.
    return this.#place.isBare ? '' : (this.#reader.find('HEAD^{tree}') ?? '')
  }
}
