/** Reads the mailmap of a work tree. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Mailmap } from '../../base/types.js'
import { parseMailmap } from '../../objects/mailmap.js'
import { fromBytes } from './bytes.js'
import type { Opened } from './command.js'

/** Reads the mailmap: the file of the work tree, without one that of `HEAD`. */
export function readMailmap({ place, reader }: Opened): Mailmap {
  if (place.top !== null && !place.isBare) return parseMailmap(fileWithoutLinks(place.top))
  const oid = reader.find('HEAD:.mailmap')
  const text = oid && reader.read(oid, ({ type, data }) => (type === 'blob' ? fromBytes(data) : ''))
  return parseMailmap(text ?? '')
}

/** Reads `.mailmap`, which must not be a link: whoever made the repository could name any file. */
function fileWithoutLinks(folder: string): string {
  const file = path.join(folder, '.mailmap')
  try {
    const isFile = fs.lstatSync(file).isFile()
    return isFile ? fs.readFileSync(file, 'latin1') : ''
  } catch {
    return ''
  }
}
