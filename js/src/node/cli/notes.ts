/** Reads the notes of objects: git-notes(1). */
import { fromBytes } from './bytes.js'
import type { Reader } from './reader.js'

/** Returns a function that reads the note of an object; empty without one. */
export function noteReader(reader: Reader): (oid: string) => string {
  const root = reader.find('refs/notes/commits^{tree}')
  return (oid) => {
    if (root === null) return ''
    // The first bytes of an id may be names of directories.
    for (let depth = 0; depth < oid.length / 2; depth++) {
      const parts = Array.from({ length: depth }, (_, at) => oid.slice(2 * at, 2 * at + 2))
      const folder = [...parts].join('/')
      const path = [...parts, oid.slice(2 * depth)].join('/')
      const note = reader.find(`${root}:${path}`)
      if (note) return reader.read(note, ({ data }) => fromBytes(data)) ?? ''
      if (depth > 0 && reader.find(`${root}:${folder}`) === null) return ''
    }
    return ''
  }
}
