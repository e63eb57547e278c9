/** The file that `log --follow` shows through its renames. */
import { decodeChanges, MAX_SCORE } from '../../../objects/change.js'
import { fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import type { RenamesAsked } from '../diff/diff-args.js'
import type { Trees } from '../diff/diff-printer.js'
import type { Opened } from '../opening/command.js'
import { magicOf } from '../repository/pathspec.js'
import { fromBytes } from '../text/bytes.js'

const DEFAULT_SCORE = MAX_SCORE / 2

const REFUSED = ['glob', 'icase'] as const

/** Returns whether the arguments after the revisions name one file that can be followed. */
export function mayFollow(io: Io, [only, ...others]: readonly string[]): boolean {
  if (only === undefined || others.length > 0) return false
  const magic = magicOf(io, only)
  return ['exclude', ...REFUSED].every((name) => !magic.includes(name))
}

export class FollowedFile {
  readonly #opened: Opened
  readonly renames: RenamesAsked
  /** The path of the file in the commits that come next. */
  pathspec: Uint8Array

  /** @param pathspec what the core makes of `paths`, the arguments after the revisions */
  constructor(
    opened: Opened,
    paths: readonly string[],
    pathspec: Uint8Array | undefined,
    { renameScore, splitScore, rewrittenScore }: RenamesAsked,
  ) {
    const [only, ...others] = paths
    const isOne = pathspec && only !== undefined && others.length === 0
    const magic = isOne ? magicOf(opened.io, only) : []
    if (!isOne || magic.includes('exclude')) {
      throw fatal('--follow requires exactly one pathspec')
    }
    const refused = REFUSED.filter((name) => magic.includes(name))
    if (refused.length > 0) {
      const names = refused.map((name) => `'${name}'`).join(', ')
      throw fatal(`pathspec magic not supported by --follow: ${names}`)
    }
    this.#opened = opened
    this.pathspec = pathspec
    this.renames = { renameScore, splitScore, rewrittenScore }
  }

  /** How similar the file of another path must be. */
  get score(): number {
    return this.renames.renameScore ?? DEFAULT_SCORE
  }

  /** Returns the path that the file has in the first of two trees; `null` if it is not changed. */
  before(trees: Trees): Uint8Array | null {
    const { reader } = this.#opened
    const [old = null, now = null] = trees
    const asked = { old: old ?? undefined, new: now ?? undefined, follow: true }
    const question = { kind: 'diff', ...asked, ...this.renames, pathspec: this.pathspec } as const
    let found: Uint8Array | null = null
    reader.pages(question, (page) => {
      for (const { similarity, oldPathBytes } of decodeChanges(new Uint8Array(page), undefined)) {
        const isMoved = similarity !== null
        found ??= isMoved ? reader.specs([`:(literal)${fromBytes(oldPathBytes)}`]) : this.pathspec
      }
    })
    return found
  }
}
