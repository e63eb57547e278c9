/** The kinds of sources of Node. To add one, add a line. */
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { createFsFromVolume, Volume } from 'memfs'
import type { ByteSource, FsClient, RandomAccess } from 'packlens'
import { storeOf as filesOfSource } from 'packlens'
import { kind } from '../support/conformance.ts'
import type { Expected } from '../support/expected.ts'
import type { Kind, Promises } from '../support/question.ts'
import {
  asyncBuffer,
  asyncRandomAccess,
  asyncStoreOf,
  type Bytes,
  bytesOf,
  filesOf,
  idsOfIndex,
  inTheMiddle,
  packFiles,
  packs,
  randomAccess,
  storeOf,
  syncBuffer,
} from './sources.ts'
import { filesBelow, folderOf, gitDirectoryOf, whole } from './support.ts'

const all = (of: Expected) => of
const inOneFolder = (of: Expected) => (whole.includes(of) ? of : null)

/** Returns the answers that packs give for a fixture: without names unless they have all objects. */
function inPacks(of: Expected): Expected | null {
  const length = of.objectFormat === 'sha1' ? 20 : 32
  const ids = new Set(packFiles(of).flatMap(({ idx }) => idsOfIndex(idx, length)))
  const objects = of.objects.filter(({ oid }) => ids.has(oid))
  if (objects.length === of.objects.length && ids.size > 0) return of
  const nothing = { refs: [], resolve: {}, lsTree: {}, head: { symref: null, oid: null } }
  return objects.length > 0 ? { ...of, objects, ...nothing } : null
}

function ofPacks(
  name: string,
  promises: Promises,
  make: (bytes: Bytes) => ByteSource,
  options: { idx?: boolean } = {},
): Kind {
  const without = options.idx === false ? ' without an index' : ''
  return kind(`packs, each ${name}${without}`, promises, inPacks, (of) => packs(of, make, options))
}

const { readFile, readdir, stat, open, fstat, read, close } = fs
const callbacks = { readFile, readdir, stat, open, fstat, read, close }
const wholeOnly = { readFile, readdir, stat }

/** Copies the fixture to a volume in memory, at the same path. */
function inMemory(of: Expected): FsClient {
  const folder = folderOf(of)
  const top = path.join(folderOf({ path: '' }), of.path.split('/')[0] ?? '')
  const volume = new Volume()
  volume.mkdirSync(path.join(gitDirectoryOf(of), 'objects'), { recursive: true })
  for (const name of filesBelow(top)) {
    const file = path.join(top, name)
    volume.mkdirSync(path.dirname(file), { recursive: true })
    volume.writeFileSync(file, bytesOf(file))
  }
  volume.mkdirSync(folder, { recursive: true })
  return createFsFromVolume(volume)
}

function inMemoryByCallbacks(of: Expected): FsClient {
  const { readFile, readdir, stat } = inMemory(of) as typeof fs
  return { readFile, readdir, stat }
}

/** Each opening starts a worker, so a few fixtures are enough. */
const some = (of: Expected) =>
  ['mixed', 'loose', 'sha256', 'worktree-linked', 'reftable-linked'].includes(of.name) ? of : null

/** Each family has a test file conformance-….test.ts, because a worker of vitest runs one file. */
export const families = {
  files: [
    kind('a path', 'never', all, (of) => folderOf(of)),
    kind('the path of a git directory', 'never', all, (of) => gitDirectoryOf(of)),
    kind('a file: URL', 'never', all, (of) => pathToFileURL(folderOf(of))),
    kind('a store that answers at once', 'never', inOneFolder, (of) => storeOf(gitDirectoryOf(of))),
    kind('a store that promises', 'always', inOneFolder, (of) => asyncStoreOf(gitDirectoryOf(of))),
    kind('the store of a path', 'never', all, (of) => filesOfSource(folderOf(of))),
    kind('the store of a path, read by you', 'never', all, async (of) => {
      const store = await filesOfSource(folderOf(of))
      const get: typeof store.get = (name, options) => {
        const file = store.get(name, options) as RandomAccess | null
        return file && { ...file, read: (offset, length) => file.read(offset, length) }
      }
      return { ...store, get }
    }),
    kind('a list of files', 'always', inOneFolder, (of) => filesOf(gitDirectoryOf(of))),
  ],
  clients: [
    kind('fs of Node', 'never', all, (of) => ({ fs, dir: folderOf(of) })),
    kind('fs of Node, its promises only', 'always', all, (of) => {
      return { fs: { promises: fs.promises }, gitdir: gitDirectoryOf(of) }
    }),
    kind('fs with callbacks', 'always', all, (of) => ({ fs: callbacks, dir: folderOf(of) })),
    kind('fs with promises of its own', 'always', all, (of) => ({
      fs: { ...fs.promises },
      dir: `${folderOf(of)}/`,
    })),
    kind('fs that reads whole files', 'always', all, (of) => ({
      fs: wholeOnly,
      dir: folderOf(of),
    })),
    kind('fs of memfs', 'always', all, (of) => ({ fs: inMemory(of), dir: folderOf(of) })),
    kind('fs of memfs, whole files', 'always', all, (of) => ({
      fs: inMemoryByCallbacks(of),
      gitdir: gitDirectoryOf(of),
    })),
  ],
  workers: [
    kind('a path, in a worker', 'always', some, (of) => folderOf(of), { worker: true }),
    kind('fs of Node, in a worker', 'always', some, (of) => ({ fs, dir: folderOf(of) }), {
      worker: true,
    }),
  ],
  packs: [
    ofPacks('an ArrayBuffer', 'never', (bytes) => bytes.buffer),
    ofPacks('a Uint8Array', 'never', inTheMiddle),
    ofPacks('{ size, read }', 'never', randomAccess),
    ofPacks('{ size, read } that promises', 'always', asyncRandomAccess),
    ofPacks('{ byteLength, slice }', 'never', syncBuffer),
    ofPacks('{ byteLength, slice } that promises', 'always', asyncBuffer),
    ofPacks('a Blob', 'always', (bytes) => new Blob([bytes])),
    ofPacks('a File', 'always', (bytes) => new File([bytes], 'pack')),
    ofPacks('a Uint8Array', 'never', inTheMiddle, { idx: false }),
    ofPacks('{ byteLength, slice } that promises', 'opening', asyncBuffer, { idx: false }),
    ofPacks('a Blob', 'opening', (bytes) => new Blob([bytes]), { idx: false }),
  ],
} satisfies Record<string, readonly Kind[]>
