/** Reads notes: <https://git-scm.com/docs/git-notes>. */

import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { GitObject, Note } from '../base/types.js'
import { decodeWalk } from '../objects/records.js'
import { NOTES } from '../options/full-tables.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import type { ReadOptions } from './reading.js'
import { find, resolve } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.notes} and {@link Repository.note}. */
export interface NotesOptions extends ReadOptions {
  /**
   * The ref of the notes, as git takes it: `builds` is `refs/notes/builds`. Default: `commits`.
   */
  readonly ref?: string | undefined
}

const PAGE = 64 << 10

export function notes({ engine }: RepositoryContext, options: NotesOptions = {}): Listing<Note> {
  const begin = () => {
    checkOptions('notes', options, NOTES)
    return engine.pages({
      kind: 'walk',
      spec: `${fullName(options.ref)}^{tree}`,
      recursive: true,
      onlyLeaves: true,
    })
  }
  const isId = new RegExp(`^[0-9a-f]{${2 * engine.oidLength}}$`)
  function* rowsIn(page: Uint8Array<ArrayBuffer>): Generator<Note, undefined> {
    for (const { path, oid, isBlob } of decodeWalk(page)) {
      // The first digits are names of directories, if there are many notes.
      const object = path.replaceAll('/', '')
      if (isBlob && isId.test(object)) yield { object, blob: oid }
    }
  }
  return { begin, rowsIn, capacity: PAGE, options }
}

export function note(
  context: RepositoryContext,
  spec: string,
  options: NotesOptions = {},
): MaybePromise<Uint8Array | null> {
  checkOptions('note', options, NOTES)
  checkArgument('note', 'the revision', spec, text)
  const { ref, ...asked } = options
  return whenReady(resolve(context, spec, asked), (oid) =>
    whenReady(find(context, `${fullName(ref)}^{tree}`, asked), (tree) =>
      noteBelow(context, tree, oid, asked),
    ),
  )
}

/** Finds a note below a tree by the digits of the id that are not names of directories above. */
function noteBelow(
  context: RepositoryContext,
  tree: GitObject | null,
  digits: string,
  options: ReadOptions,
): MaybePromise<Uint8Array | null> {
  if (tree?.type !== 'tree') return null
  const { entries } = tree
  const entry =
    entries.find(({ name, isBlob }) => isBlob && name === digits) ??
    entries.find(({ name, isTree }) => isTree && name === digits.slice(0, 2))
  if (!entry) return null
  return whenReady(find(context, entry.oid, options), (found) =>
    found?.type === 'blob' ? found.data : noteBelow(context, found, digits.slice(2), options),
  )
}

/** Returns the name of a ref as git completes it. */
function fullName(ref = 'commits'): string {
  if (ref.startsWith('refs/notes/')) return ref
  return ref.startsWith('notes/') ? `refs/${ref}` : `refs/notes/${ref}`
}
