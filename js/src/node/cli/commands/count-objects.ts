/** `count-objects`: counts the stored objects and packs, and files that are garbage. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { Garbage, StorageCounts } from '../../../questions/storage.js'
import { COUNT_OBJECTS, decodeCounts } from '../../../questions/storage.js'
import { parseOptions } from '../args/options.js'
import { environmentOf } from '../base/environment.js'
import { Misused } from '../base/exit.js'
import { namesIn } from '../base/names-in.js'
import type { Command, Opened } from '../opening/command.js'
import { objectDirectoryOf } from '../repository/object-directory.js'
import { fromBytes } from '../text/bytes.js'
import { humanBytes } from '../text/sizes.js'

/** The reasons for garbage in git's words. */
const COMPLAINTS = {
  garbage: 'garbage found',
  'no-idx': 'no corresponding .idx',
  'no-pack': 'no corresponding .pack',
  'no-idx-or-pack': 'no corresponding .idx or .pack',
} as const satisfies Record<Garbage['why'], string>

/** The unit of `st_blocks` in bytes, whatever the block size of the file system. */
const BLOCK = 512

export function countObjects(command: Command, args: readonly string[]): number {
  let [verbose, human] = [false, false]
  const rest = parseOptions(
    [
      { short: 'v', long: 'verbose', negatable: true, set: (_, no) => (verbose = !no) },
      { short: 'H', long: 'human-readable', negatable: true, set: (_, no) => (human = !no) },
    ],
    args,
  )
  if (rest.length > 0) throw new Misused()
  const opened = command.open()
  const { io } = command
  const places = placesOf(command, opened)
  const counts = countsOf(opened)
  const loose = looseSize(places.objects)
  const print = (text: string) => io.write(Buffer.from(text, 'latin1'))
  if (!verbose) {
    const size = human ? humanBytes(loose) : `${Math.floor(loose / 1024)} kilobytes`
    print(`${counts.count} objects, ${size}\n`)
    return 0
  }
  for (const { why, path: name } of counts.garbage) {
    io.writeError(`warning: ${COMPLAINTS[why]}: ${places.shown}/${name}\n`)
  }
  const size = (bytes: number) => (human ? humanBytes(bytes) : `${Math.floor(bytes / 1024)}`)
  const garbage = counts.garbage.map(({ path: name }) => sizeOf(path.join(places.objects, name)))
  const alternates = counts.alternates.map((place) => path.resolve(opened.place.gitDir, place))
  print(
    [
      `count: ${counts.count}`,
      `size: ${size(loose)}`,
      `in-pack: ${counts.inPack}`,
      `packs: ${counts.packs.length}`,
      `size-pack: ${size(counts.sizePack)}`,
      `prune-packable: ${counts.prunePackable}`,
      `garbage: ${garbage.length}`,
      `size-garbage: ${size(garbage.reduce((sum, bytes) => sum + bytes, 0))}`,
      ...alternates.map((place) => `alternate: ${opened.quote(fromBytes(Buffer.from(place)))}`),
      '',
    ].join('\n'),
  )
  return 0
}

function countsOf({ reader }: Opened): StorageCounts {
  let record = new Uint8Array(0)
  reader.pages(COUNT_OBJECTS, (page) => {
    record = page.slice()
  })
  return decodeCounts(record)
}

/** Returns the directory of objects, and the name that git shows for it. */
function placesOf(
  { io, gitDir: named }: Command,
  opened: Opened,
): { readonly objects: string; readonly shown: string } {
  const { gitDir, top } = opened.place
  const { common, objects } = objectDirectoryOf(opened)
  const own = { objects, shown: objects }
  if (environmentOf(io).directories.objectDirectory)
    return { ...own, shown: io.env.GIT_OBJECT_DIRECTORY ?? objects }
  if (common !== gitDir) return own
  if (named !== undefined) return { ...own, shown: `${named}/objects` }
  if (gitDir === io.cwd) return { ...own, shown: './objects' }
  return top !== null && gitDir === path.join(top, '.git') ? { ...own, shown: '.git/objects' } : own
}

/** Returns the bytes of disk space that loose objects take, as the file system counts them. */
function looseSize(objects: string): number {
  let size = 0
  for (const fanout of namesIn(objects)) {
    if (!/^[0-9a-f]{2}$/.test(fanout)) continue
    for (const name of namesIn(path.join(objects, fanout))) {
      if (!/^([0-9a-f]{38}|[0-9a-f]{62})$/.test(name)) continue
      const stat = fs.lstatSync(path.join(objects, fanout, name), { throwIfNoEntry: false })
      if (stat?.isFile()) size += (stat.blocks ?? Math.ceil(stat.size / BLOCK)) * BLOCK
    }
  }
  return size
}

function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
