/** Turns files that the user picked or dropped into a source to open. */
import type { PackSource, RepoSource } from 'packlens'
import { loadPart } from '../load-part'
import { errors } from '../words/errors'
import { first } from '../words/first'
import type { Candidate } from './opened'

export function folderCandidate(source: RepoSource, name: string): Candidate {
  return {
    source,
    name: name.replace(/\.git$/, '') || first.repository,
    about: () => first.fromFolder,
  }
}

/** Returns the source of files with paths, such as those of `<input webkitdirectory>`. */
export function fileListCandidate(files: readonly File[]): Candidate {
  const [folder = first.repository] = (files[0]?.webkitRelativePath ?? '').split('/')
  return folderCandidate(files, folder)
}

/** Returns the source of single files: a zip file, a bundle, or packs, each with its index if any. */
export async function packCandidate(files: readonly File[]): Promise<Candidate> {
  const [zip] = ending(files, '.zip')
  if (zip) return zipCandidate(zip)
  const [bundle] = ending(files, '.bundle')
  if (bundle) {
    const about = () => first.fromBundle
    return { source: { bundle }, name: bundle.name, about, size: bundle.size }
  }
  const indexes = new Map(ending(files, '.idx').map((file) => [stem(file), file]))
  const packFiles = ending(files, '.pack')
  const packs = packFiles.map((pack): PackSource => ({ pack, idx: indexes.get(stem(pack)) }))
  const [pack] = packFiles
  if (!pack) throw new Error(adviceFor(files))
  const firstIndex = indexes.get(stem(pack))
  const objectFormat = firstIndex ? await formatOf(firstIndex) : undefined
  return {
    source: { packs, ...(objectFormat && { objectFormat }) },
    name: packs.length === 1 ? pack.name : first.packs(packs.length),
    about: () => (firstIndex ? first.fromIndexed : first.fromPack),
    unknownFormat: objectFormat === undefined,
    withoutRefs: true,
    size: files.reduce((sum, file) => sum + file.size, 0),
  }
}

function zipCandidate(file: File): Candidate {
  return {
    source: async (options) => (await loadPart(() => import('./zip'))).zipStore(file, options),
    name: file.name.replace(/(?:\.git)?\.zip$/i, '') || file.name,
    about: () => first.fromZip,
    size: file.size,
  }
}

/** The bytes of an index besides those of its objects: see gitformat-pack(5), version 2. */
const FIXED = 8 + 1024

/** Checks the size of an index, which follows from the number of objects and the id length. */
async function formatOf(index: File): Promise<'sha1' | 'sha256' | undefined> {
  const head = new DataView(await index.slice(0, FIXED).arrayBuffer())
  if (head.byteLength < FIXED || head.getUint32(0) !== 0xff744f63) return undefined
  const objects = head.getUint32(FIXED - 4)
  const least = (idLength: number) => FIXED + objects * (idLength + 8) + 2 * idLength
  return index.size >= least(32) ? 'sha256' : 'sha1'
}

function ending(files: readonly File[], end: string): File[] {
  return files.filter((file) => file.name.toLowerCase().endsWith(end))
}

function stem(file: File): string {
  return file.name.replace(/\.(pack|idx)$/i, '')
}

function adviceFor(files: readonly File[]): string {
  const names = files
    .map((file) => file.name)
    .slice(0, 3)
    .join(', ')
  const indexOnly = ending(files, '.idx').length > 0
  const what = indexOnly ? errors.indexOnly : errors.choosePack
  return names ? errors.youChose(what, names) : what
}
