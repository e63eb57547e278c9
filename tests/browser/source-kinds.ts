/** The kinds of sources of browsers. To add one, add a line. */
import LightningFs from '@isomorphic-git/lightning-fs'
import type { ByteSource } from 'packlens'
import { kind } from '../support/conformance.ts'
import type { Expected } from '../support/expected.ts'
import type { Kind, Promises } from '../support/question.ts'
import { writeFolder } from './opfs.ts'
import { filesOf, packed, packs } from './support.ts'
import type { Bytes } from './untar.ts'
import { inWorker } from './worker-page.ts'

/** Fixtures whose git directory is in their folder, not named by a `.git` file. */
const inFolder = (of: Expected) => (/^worktree-|-linked$/.test(of.name) ? null : of)
const inPack = (of: Expected) => (packed.includes(of) ? of : null)

const folders = new Map<string, Promise<FileSystemDirectoryHandle>>()

/** Writes a folder of the private file system, once. */
function folderOf(of: Expected): Promise<FileSystemDirectoryHandle> {
  const folder = folders.get(of.name) ?? filesOf(of).then((files) => writeFolder(of.name, files))
  folders.set(of.name, folder)
  return folder
}

async function fileList(of: Expected): Promise<File[]> {
  return [...(await filesOf(of))].map(([name, bytes]) => {
    const file = new File([bytes], name.split('/').at(-1) ?? '')
    return Object.defineProperty(file, 'webkitRelativePath', { value: `picked/${name}` })
  })
}

const lightning = new LightningFs('packlens', { wipe: true })
const written = new Map<string, Promise<string>>()

async function write(of: Expected): Promise<string> {
  const folders = new Set<string>(['/', `/${of.name}`])
  const mkdir = async (folder: string) => {
    if (!folders.has(folder)) await lightning.promises.mkdir(folder)
    folders.add(folder)
  }
  await lightning.promises.mkdir(`/${of.name}`)
  for (const [name, bytes] of await filesOf(of)) {
    const parts = `${of.name}/${name}`.split('/')
    for (let at = 1; at < parts.length; at++) await mkdir(`/${parts.slice(0, at).join('/')}`)
    await lightning.promises.writeFile(`/${parts.join('/')}`, bytes)
  }
  await mkdir(`/${of.name}/objects`)
  return `/${of.name}`
}

/** Writes the fixture to lightning-fs, once. */
function lightningFolder(of: Expected): Promise<string> {
  const folder = written.get(of.name) ?? write(of)
  written.set(of.name, folder)
  return folder
}

function ofPacks(
  name: string,
  promises: Promises,
  make: (bytes: Bytes) => ByteSource,
  options: { idx?: boolean } = {},
): Kind {
  const without = options.idx === false ? ' without an index' : ''
  return kind(`packs, each ${name}${without}`, promises, inPack, (of) => packs(of, make, options))
}

/** Each opening starts a worker, so a few fixtures are enough. */
const some = (of: Expected) => (['mixed', 'sha256'].includes(of.name) ? of : null)

/** Fixtures that a file server can list completely. */
const served = (of: Expected) => (['main', 'sha256', 'served'].includes(of.name) ? of : null)

export const kinds: readonly Kind[] = [
  kind('a folder', 'always', inFolder, folderOf),
  {
    name: 'a folder in a worker',
    promises: 'always',
    of: inFolder,
    ask: async ({ name }, of) => inWorker({ question: name, of, folder: await folderOf(of) }),
  },
  kind('a folder, opened in a worker', 'always', some, folderOf, { worker: true }),
  kind('a URL', 'always', served, (of) => `/nginx/closed/${of.name}.git`),
  kind('a list of files', 'always', inFolder, fileList),
  kind('fs of lightning-fs', 'always', inFolder, async (of) => ({
    fs: lightning,
    dir: await lightningFolder(of),
  })),
  ofPacks('an ArrayBuffer', 'never', (bytes) => bytes.slice().buffer),
  ofPacks('a Uint8Array', 'never', (bytes) => bytes),
  ofPacks('a Blob', 'always', (bytes) => new Blob([bytes])),
  ofPacks('a File', 'always', (bytes) => new File([bytes], 'pack')),
  ofPacks('an ArrayBuffer', 'never', (bytes) => bytes.slice().buffer, { idx: false }),
  ofPacks('a Blob', 'opening', (bytes) => new Blob([bytes]), { idx: false }),
]
