/** Makes a synthetic repository: blobs, large and small, and many refs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { indexedPackOf } from '../blob-pack.ts'
import { noise } from '../sources.ts'
import type { ServedFile } from './faulty.ts'

export const PACK = `/repo.git/objects/pack/pack-${'5'.repeat(40)}.pack`
export const INDEX = PACK.replace(/pack$/, 'idx')

export interface Scene {
  readonly contents: readonly Uint8Array[]
  readonly oids: readonly string[]
  readonly files: ReadonlyMap<string, ServedFile>
}

const SMALL = 600
/** The number of first blobs that span several blocks. */
export const LARGE = 6

/** Sizes and offsets are the same for each seed; only the bytes differ. */
export function makeScene(seed: number): Scene {
  const sizeOf = (at: number) => (at < LARGE ? 150_000 + at * 1000 : 300 + ((at * 7919) % 4000))
  const contents = Array.from({ length: SMALL + LARGE }, (_, at) =>
    noise(seed * 1000 + at, sizeOf(at)),
  )
  const { pack, idx, oids } = indexedPackOf(...contents)
  const texts: Record<string, string | Uint8Array> = {
    '/repo.git/HEAD': 'ref: refs/heads/main\n',
    '/repo.git/info/refs': refs(oids),
    '/repo.git/objects/info/packs': `P ${PACK.replace(/.*\//, '')}\n\n`,
    [PACK]: pack,
    [INDEX]: idx,
  }
  const files = Object.entries(texts).map(([path, bytes], at) => {
    const etag = `"${seed}-${at}"`
    const modified = new Date(1_000_000_000_000 + seed * 1000).toUTCString()
    return [path, { bytes: Buffer.from(bytes as Uint8Array), etag, modified }] as const
  })
  return { contents, oids, files: new Map(files) }
}

/**
 * Returns the scene with a number of other packs, each of one small blob: opening requests no pack
 * of several.
 */
export function withOtherPacks(scene: Scene, count = 1): Scene & { others: readonly string[] } {
  const files = new Map(scene.files)
  const others: string[] = []
  const list = '/repo.git/objects/info/packs'
  const add = (name: string, bytes: Uint8Array) => {
    files.set(name, { bytes: Buffer.from(bytes), etag: `"${name}"` })
  }
  let names = `${scene.files.get(list)?.bytes}`.trimEnd()
  for (let at = 0; at < count; at++) {
    const { pack, idx, oids } = indexedPackOf(noise(9_000_000 + at, 100))
    const name = PACK.replace('5'.repeat(40), `${at}`.padStart(40, '6'))
    add(name, pack)
    add(name.replace(/pack$/, 'idx'), idx)
    names += `\nP ${name.replace(/.*\//, '')}`
    others.push(oids[0] as string)
  }
  add(list, Buffer.from(`${names}\n\n`))
  return { ...scene, files, others }
}

/** Writes the files of a scene below a folder. */
export function writeScene({ files }: Scene, folder: string): void {
  for (const [name, { bytes }] of files) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, bytes)
  }
}

/** Returns the blob of a ref; the list of refs is long enough to be read in two ranges. */
export function refName(at: number): string {
  return `refs/tags/t${`${at}`.padStart(4, '0')}`
}

export const REFS = 700

function refs(oids: readonly string[]): string {
  const line = (name: string, at: number) => `${oids[at % oids.length]}\t${name}\n`
  const tags = Array.from({ length: REFS }, (_, at) => line(refName(at), at))
  return line('refs/heads/main', 10) + tags.join('')
}
