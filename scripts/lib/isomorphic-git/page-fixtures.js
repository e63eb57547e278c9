// Replaces `FixtureFS.js` of isomorphic-git's tests in a page: fixtures are fetched and written to
// lightning-fs.
import LightningFS from '@isomorphic-git/lightning-fs'
import { FileSystem } from 'isomorphic-git/internal-apis'

const _fs = new LightningFS('fixtures', { wipe: true })
let made = 0

export async function makeFixture(name) {
  const top = `/${++made}`
  const fs = new FileSystem(_fs)
  fs._cp = copy
  const [dir, gitdir] = [`${top}/${name}`, `${top}/${name}.git`]
  for (const folder of [top, dir, gitdir]) await _fs.promises.mkdir(folder)
  for (const folder of [dir, gitdir]) await write(folder)
  return { _fs, fs, dir, gitdir }
}

async function write(folder) {
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  const response = await fetch(`/target/isomorphic-git/fixtures/${name}.json`)
  // Tests that need only an empty folder have no fixture: the server returns its page.
  if (!response.headers.get('Content-Type')?.includes('json')) return
  for (const { name, kind, target, base64 } of await response.json()) {
    const place = `${folder}/${name}`
    if (kind === 'folder') await _fs.promises.mkdir(place)
    else if (kind === 'link') await _fs.promises.symlink(target, place)
    else
      await _fs.promises.writeFile(
        place,
        Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)),
      )
  }
}

/** Copies a folder, which lightning-fs cannot. */
async function copy(from, to) {
  const { promises } = _fs
  await promises.mkdir(to)
  for (const name of await promises.readdir(from)) {
    const [source, target] = [`${from}/${name}`, `${to}/${name}`]
    const stat = await promises.lstat(source)
    if (stat.isDirectory()) await copy(source, target)
    else if (stat.isSymbolicLink()) await promises.symlink(await promises.readlink(source), target)
    else await promises.writeFile(target, await promises.readFile(source))
  }
}
