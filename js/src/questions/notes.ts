/** Reads notes: <https://git-scm.com/docs/git-notes>. */

import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { GitObject, Note, TreeEntry } from '../base/types.js'
import type { Pages } from '../engine/engine.js'
import { joinedNotes } from '../objects/joined-notes.js'
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

/** Lists one row for each object, sorted by its id. */
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
  // The first digits are names of directories, if there are many notes.
  const isNote = /^([0-9a-f]{2}\/)*[0-9a-f]+$/
  const digits = 2 * engine.oidLength
  /** Objects whose ids have the same first digits: their entries follow each other in the tree. */
  const group = new Map<string, string[]>()
  const first = (id: string) => id.slice(0, 2)
  let held = ''
  function* rowsIn(page: Uint8Array<ArrayBuffer>, { done }: Pages): Generator<Note, undefined> {
    for (const { path, oid, mode } of decodeWalk(page)) {
      const object = path.replaceAll('/', '')
      if (!isFile(mode) || object.length !== digits || !isNote.test(path)) continue
      if (held !== first(object)) yield* rowsOf(group)
      held = first(object)
      const blobs = group.get(object)
      if (blobs) blobs.push(oid)
      else group.set(object, [oid])
    }
    if (done) yield* rowsOf(group)
  }
  return { begin, rowsIn, capacity: PAGE, options }
}

function* rowsOf(group: Map<string, string[]>): Generator<Note, undefined> {
  for (const object of [...group.keys()].sort()) {
    const blobs = group.get(object) as [string, ...string[]]
    yield { object, blob: blobs[0], blobs }
  }
  group.clear()
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

/**
 * Finds a note below a tree by the digits of the id that are not names of directories above. What is
 * in a directory precedes what is beside it.
 */
function noteBelow(
  context: RepositoryContext,
  tree: GitObject | null,
  digits: string,
  options: ReadOptions,
): MaybePromise<Uint8Array | null> {
  if (tree?.type !== 'tree') return null
  const { entries } = tree
  const folder = entries.find(({ name, isTree }) => isTree && name === digits.slice(0, 2))
  const file = entries.find(({ name, mode }) => isFile(mode) && name === digits)
  const read = (entry: TreeEntry | undefined) => entry && find(context, entry.oid, options)
  return whenReady(read(folder), (found = null) =>
    whenReady(noteBelow(context, found, digits.slice(2), options), (inside) =>
      whenReady(read(file), (own) => {
        if (own?.type !== 'blob') return inside
        return inside === null ? own.data : joinedNotes(inside, own.data)
      }),
    ),
  )
}

/** Symbolic links are no notes. */
function isFile(mode: number): boolean {
  return (mode & 0o170000) === 0o100000
}

/** Returns the name of a ref as git completes it. */
function fullName(ref = 'commits'): string {
  if (ref.startsWith('refs/notes/')) return ref
  return ref.startsWith('notes/') ? `refs/${ref}` : `refs/notes/${ref}`
}
