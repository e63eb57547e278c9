/** The lines of a long status about a sparse checkout. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { IndexFileEntry } from '../../../base/types.js'
import { decodeIndexFile } from '../../../objects/index-file-entry.js'
import type { Opened } from '../opening/command.js'
import { fromBytes } from '../text/bytes.js'
import type { StatusPage } from './status-page.js'

const DIRECTORY = 0o040000

/** The extension of a sparse index, which is empty: gitformat-index(5), "Sparse directory entries". */
const SPARSE = Buffer.from('sdir\0\0\0\0')

/** How many bytes at the end of an index have that extension: only one other and a hash follow. */
const END = 128

/** Says how many of the tracked files are there, unless the index leaves out whole directories. */
export function addSparse(page: StatusPage, opened: Opened): void {
  const { settings } = opened
  if (!settings.flag('core.sparseCheckout')) return
  // Files that are there are not skipped, whatever the index says.
  const isLooked = !settings.flag('sparse.expectFilesOutsideOfPatterns')
  const isThere = ({ pathBytes }: IndexFileEntry) => isLooked && exists(opened, pathBytes)
  const folders = { all: 0, there: 0 }
  const count = { all: 0, skipped: 0 }
  eachEntry(opened, true, (entry) => {
    count.all++
    const isFolder = entry.mode === DIRECTORY
    const isPresent = (isFolder || entry.isSkipped) && isThere(entry)
    if (isFolder) folders.all++
    if (isFolder && isPresent) folders.there++
    if (entry.isSkipped && !isPresent) count.skipped++
  })
  if (count.all === 0) return
  if (folders.there > 0) {
    Object.assign(count, { all: 0, skipped: 0 })
    eachEntry(opened, false, (entry) => {
      count.all++
      if (entry.isSkipped && !isThere(entry)) count.skipped++
    })
  }
  const present = 100 - Math.floor((100 * count.skipped) / count.all)
  const isWhole = folders.there > 0 || !isSparse(opened, folders.all)
  const share = isWhole ? ` with ${present}% of tracked files present` : ''
  page.line(`You are in a sparse checkout${share}.`)
  page.blank()
}

/** Returns whether the index is a sparse one, which may have no directory to leave out. */
function isSparse({ place }: Opened, folders: number): boolean {
  if (folders > 0) return true
  const file = path.join(place.gitDir, 'index')
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const end = Buffer.alloc(Math.min(size, END))
  const descriptor = fs.openSync(file, 'r')
  try {
    const count = fs.readSync(descriptor, end, 0, end.length, size - end.length)
    return end.subarray(0, count).includes(SPARSE)
  } finally {
    fs.closeSync(descriptor)
  }
}

function eachEntry(
  { reader }: Opened,
  sparse: boolean,
  use: (entry: IndexFileEntry) => void,
): void {
  reader.pages({ kind: 'index', pathspec: undefined, sparse }, (entries) => {
    for (const entry of decodeIndexFile(new Uint8Array(entries))) use(entry)
  })
}

function exists({ place }: Opened, pathBytes: Uint8Array): boolean {
  const folder = Buffer.from(`${place.top}${path.sep}`)
  const file = Buffer.concat([folder, Buffer.from(fromBytes(pathBytes), 'latin1')])
  try {
    return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    // A file may be in the place of a folder.
    return false
  }
}
