/** Reads the mailmaps of a repository: gitmailmap(5). */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Mailmap } from '../../../base/types.js'
import { parseMailmap } from '../../../objects/mailmap.js'
import { fatal } from '../base/exit.js'
import { configuredPath } from '../config/configured-path.js'
import type { Opened } from '../opening/command.js'
import { fromBytes } from '../text/bytes.js'

/** The most bytes of a mailmap that the configuration names: whoever made it could name any file. */
const MOST = 64 << 20

/** Reads the mailmaps: see {@link textOfMailmaps}. */
export function readMailmap(opened: Opened): Mailmap {
  return parseMailmap(textOfMailmaps(opened))
}

/**
 * Reads the mailmaps as one, of which later ones take precedence: the file of the work tree,
 * `mailmap.blob`, which is that of `HEAD` in a bare repository, and `mailmap.file`.
 */
export function textOfMailmaps(opened: Opened): string {
  const { place, settings } = opened
  const hasTree = place.top !== null && !place.isBare
  const own = hasTree && place.top !== null ? fileWithoutLinks(place.top) : ''
  const blob = settings.text('mailmap.blob') ?? (hasTree ? undefined : 'HEAD:.mailmap')
  const file = settings.text('mailmap.file')
  const texts = [
    own,
    blob === undefined ? '' : blobNamed(opened, blob),
    file === undefined ? '' : contentOf(configuredPath(opened, file)),
  ]
  return texts.join('\n')
}

/** Returns the text of a blob; nothing if it is missing. */
function blobNamed({ io, reader }: Opened, spec: string): string {
  const oid = reader.find(spec)
  if (oid === null) return ''
  const text = reader.read(oid, ({ type, data }) => {
    if (type === 'blob') return fromBytes(data)
    io.writeError(`error: mailmap is not a blob: ${spec}\n`)
    return ''
  })
  return text ?? ''
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

/** Reads a file that the configuration names, which may be missing. */
function contentOf(file: string): string {
  const facts = fs.statSync(file, { throwIfNoEntry: false })
  if (!facts?.isFile()) return ''
  if (facts.size > MOST) throw fatal(`packlens reads no mailmap of ${facts.size} bytes: ${file}`)
  try {
    return fs.readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
