/** Reads the notes of objects: git-notes(1). */
import { joinedNotes } from '../../../objects/joined-notes.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes } from '../text/bytes.js'

const EMPTY = new Uint8Array()

/** Returns a function that reads the note of an object; empty without one. */
export function noteReader(reader: Reader): (oid: string) => string {
  const root = reader.find('refs/notes/commits^{tree}')
  return (oid) => {
    if (root === null) return ''
    const found: string[] = []
    // The first bytes of an id may be names of directories. What is in the deepest one comes first.
    for (let depth = 0; depth < oid.length / 2; depth++) {
      const parts = Array.from({ length: depth }, (_, at) => oid.slice(2 * at, 2 * at + 2))
      const folder = [...parts].join('/')
      if (depth > 0 && reader.find(`${root}:${folder}`) === null) break
      const note = reader.find(`${root}:${[...parts, oid.slice(2 * depth)].join('/')}`)
      if (note) found.unshift(note)
    }
    const notes = found.map((note) => reader.read(note, ({ data }) => data.slice()) ?? EMPTY)
    return fromBytes(notes.reduce(joinedNotes, EMPTY))
  }
}

/** Returns the lines of a note as `log` shows them: git drops a last empty one. */
export function linesOfNote(note: string): string {
  const text = note.replace(/\n$/, '')
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
