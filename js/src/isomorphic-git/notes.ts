/** Reads notes. */
import type { Repository } from '../index.js'
import { joinedNotes } from '../objects/joined-notes.js'
import { unlessAbsent } from './absent.js'
import { answered } from './calls.js'
import { NotFoundError } from './errors.js'
import { objectAt, peeled } from './objects.js'
import type { RepositoryParameters } from './parameters.js'
import { isOid, resolve } from './resolve.js'

const COMMITS = 'refs/notes/commits'

/** The parameters of {@link listNotes}. */
export interface ListNotesParameters extends RepositoryParameters {
  /** The ref of the notes; `refs/notes/commits` by default. */
  readonly ref?: string | undefined
}

/** The parameters of {@link readNote}. */
export interface ReadNoteParameters extends ListNotesParameters {
  /** The id of the object that the note is about. */
  readonly oid: string
}

/** Lists notes: the ids of objects, and of the blobs that are their notes. */
export function listNotes(
  parameters: ListNotesParameters,
): Promise<{ target: string; note: string }[]> {
  return answered('listNotes', parameters, [], async (repo) => {
    const notes: { target: string; note: string }[] = []
    const commit = await resolve(repo, parameters.ref ?? COMMITS).catch(orNone)
    if (commit === null) return notes
    const options = { recursive: true, trees: false }
    for await (const { path, oid } of repo.walk(commit, options)) {
      // git puts the first digits into names of directories when there are many notes.
      const target = path.replaceAll('/', '')
      if (isOid(target)) notes.push({ target, note: oid })
    }
    return notes.sort((a, b) => (a.target < b.target ? -1 : 1))
  })
}

/** Reads the note about an object. */
export function readNote(parameters: ReadNoteParameters): Promise<Uint8Array> {
  return answered('readNote', parameters, ['oid'], async (repo) => {
    const { oid } = parameters
    const commit = await resolve(repo, parameters.ref ?? COMMITS)
    // A note in a deeper directory precedes those outside of it, as in git.
    const notes: Uint8Array[] = []
    let filepath = ''
    for (filepath of await notePaths(repo, commit, oid)) {
      const object = await unlessAbsent(repo.read(`${commit}:${filepath}`))
      if (object?.type === 'blob') notes.unshift(object.data)
    }
    if (notes.length > 0) return notes.reduce(joinedNotes)
    return (await peeled(repo, await objectAt(repo, { oid: commit, filepath }), 'blob')).data
  })
}

/** Returns the paths that a note may have, with as many directories as there are. */
async function notePaths(repo: Repository, commit: string, oid: string): Promise<string[]> {
  const paths = [oid]
  let directory = ''
  for (let at = 0; at + 2 < oid.length && isOid(oid); at += 2) {
    const next = `${directory}${oid.slice(at, at + 2)}/`
    const info = await unlessAbsent(repo.info(`${commit}:${next.slice(0, -1)}`))
    if (info?.type !== 'tree') return paths
    directory = next
    paths.push(directory + oid.slice(at + 2))
  }
  return paths
}

function orNone(error: unknown): null {
  if (error instanceof NotFoundError) return null
  throw error
}
