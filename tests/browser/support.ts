/** The fixtures, and git's answers about them. */
import type { ByteSource, PacksSource } from 'packlens'
import { type Expected, refsOf } from '../support/expected.ts'
import { type Bytes, untar } from './untar.ts'

export { codeOf, collect, errorOf } from '../support/asking.ts'
export type { Expected } from '../support/expected.ts'

const answers = import.meta.glob<Expected>('../fixtures/expected/*.json', {
  eager: true,
  import: 'default',
})

export const fixtures: readonly Expected[] = Object.values(answers)

export function fixture(name: string): Expected {
  const found = fixtures.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`there is no fixture ${name}`)
  return found
}

/** The fixtures that have all of their objects in one pack. */
export const packed = fixtures.filter(
  ({ packOrder, objects }) => packOrder && packOrder.length === objects.length,
)

const archives = new Map<string, Promise<Map<string, Bytes>>>()

async function load(archive: string): Promise<Map<string, Bytes>> {
  const response = await fetch(`/tests/fixtures/archives/${archive}.tar`)
  if (!response.ok) throw new Error(`${archive}.tar: ${response.status}`)
  return untar(new Uint8Array(await response.arrayBuffer()))
}

/** Returns all files in the archive of a fixture, by their paths in it. */
export function archiveOf({ path }: Expected): Promise<Map<string, Bytes>> {
  const archive = path.split('/')[0] ?? ''
  const loading = archives.get(archive) ?? load(archive)
  archives.set(archive, loading)
  return loading
}

/** Returns the files of a fixture, by their paths in its folder. */
export async function filesOf(of: Expected): Promise<Map<string, Bytes>> {
  const files = [...(await archiveOf(of))].filter(([name]) => name.startsWith(`${of.path}/`))
  return new Map(files.map(([name, bytes]) => [name.slice(of.path.length + 1), bytes]))
}

/** Returns the packs of a fixture and its refs, each file made by `make`. */
export async function packs(
  of: Expected,
  make: (bytes: Bytes) => ByteSource,
  { idx = true }: { idx?: boolean } = {},
): Promise<PacksSource> {
  const files = await filesOf(of)
  const names = [...files.keys()].filter((name) => name.endsWith('.pack'))
  const list = names.map((name) => {
    const bytes = (file: string) => make(files.get(file) ?? new Uint8Array())
    const pack = bytes(name)
    return idx ? { pack, idx: bytes(name.replace(/pack$/, 'idx')) } : { pack }
  })
  return { packs: list, refs: refsOf(of), objectFormat: of.objectFormat }
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
