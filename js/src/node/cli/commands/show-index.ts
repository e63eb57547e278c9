/** `show-index`: lists the entries of a pack index, which it reads from standard input. */
import { indexEntriesIn, SHOW_INDEX } from '../../../packs/show-index.js'
import { expectSync } from '../../../session/task.js'
import { fileFrom } from '../../../source/bytes.js'
import { packFilesStore } from '../../../source/pack-files.js'
import { parseOptions } from '../args/options.js'
import { fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { Lines } from '../base/output.js'
import type { Command } from '../opening/command.js'
import { formatOfIds, openSession } from '../packs/pack-session.js'
import { memoryOf, Reader } from '../repository/reader.js'

const CHUNK = 1 << 20

export function showIndex(command: Command, args: readonly string[]): number {
  let named: string | undefined
  parseOptions(
    [{ long: 'object-format', value: 'required', set: (value) => (named = value) }],
    args,
  )
  if (named !== undefined && named !== 'sha1' && named !== 'sha256') {
    throw fatal('Unknown hash algorithm')
  }
  const { io } = command
  const format = formatOfIds(command, named)
  const store = expectSync(packFilesStore({ idx: readAll(io) }, fileFrom))
  const reader = new Reader(openSession(command, store, format))
  const lines = new Lines(io)
  try {
    reader.pages(SHOW_INDEX, (page) => {
      for (const { oid, offset, crc32 } of indexEntriesIn(page, reader.hexLength / 2)) {
        const crc = crc32 === null ? '' : ` (${crc32.toString(16).padStart(8, '0')})`
        lines.add(`${offset} ${oid}${crc}\n`)
      }
    })
    return 0
  } finally {
    lines.flush()
    reader.close()
  }
}

/** Reads the whole input, because an index is not read in sequence. */
function readAll(io: Io): Uint8Array {
  const most = memoryOf(io.env.PACKLENS_MEMORY)
  const pieces: Uint8Array[] = []
  for (let size = 0; ; ) {
    const piece = new Uint8Array(CHUNK)
    const count = io.read(piece)
    if (count === 0) return Buffer.concat(pieces)
    size += count
    if (size > most) throw fatal('an index that is larger than PACKLENS_MEMORY allows')
    pieces.push(piece.subarray(0, count))
  }
}
