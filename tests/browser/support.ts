/** The fixtures, and what git says about them. */
import type { ErrorCode, GitObject, ObjectType, PacklensError, PacksSource } from 'packlens'
import { isPacklensError } from 'packlens'
import { type Bytes, untar } from './untar.ts'

export interface ExpectedObject {
  readonly oid: string
  readonly type: ObjectType
  readonly size: number
  readonly sha256: string
}

export interface Expected {
  readonly name: string
  /** The folder below that of all fixtures. */
  readonly path: string
  readonly objectFormat: 'sha1' | 'sha256'
  readonly objects: readonly ExpectedObject[]
  readonly packOrder?: readonly string[]
  readonly refs: readonly { name: string; oid: string; peeled: string | null }[]
  readonly head: { readonly symref: string | null; readonly oid: string | null }
  readonly resolve: Readonly<Record<string, string | null>>
  readonly lsTree: Readonly<Record<string, { flat: string; recursive?: string }>>
}

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

/** Those that have all of their objects in one pack. */
export const packed = fixtures.filter(
  ({ packOrder, objects }) => packOrder && packOrder.length === objects.length,
)

const archives = new Map<string, Promise<Map<string, Bytes>>>()

async function load(archive: string): Promise<Map<string, Bytes>> {
  const response = await fetch(`/tests/fixtures/archives/${archive}.tar`)
  if (!response.ok) throw new Error(`${archive}.tar: ${response.status}`)
  return untar(new Uint8Array(await response.arrayBuffer()))
}

/** All files of the archive that a fixture is in, by their paths in it. */
export function archiveOf({ path }: Expected): Promise<Map<string, Bytes>> {
  const archive = path.split('/')[0] ?? ''
  const loading = archives.get(archive) ?? load(archive)
  archives.set(archive, loading)
  return loading
}

/** The files of a fixture, by their paths in its folder. */
export async function filesOf(of: Expected): Promise<Map<string, Bytes>> {
  const files = [...(await archiveOf(of))].filter(([name]) => name.startsWith(`${of.path}/`))
  return new Map(files.map(([name, bytes]) => [name.slice(of.path.length + 1), bytes]))
}

/** The packs of a fixture, each file made by `make`. */
export async function packs(
  of: Expected,
  make: (bytes: Bytes) => ArrayBuffer | Uint8Array | Blob,
  { idx = true }: { idx?: boolean } = {},
): Promise<PacksSource> {
  const files = await filesOf(of)
  const names = [...files.keys()].filter((name) => name.endsWith('.pack'))
  const list = names.map((name) => {
    const bytes = (file: string) => make(files.get(file) ?? new Uint8Array())
    const pack = bytes(name)
    return idx ? { pack, idx: bytes(name.replace(/pack$/, 'idx')) } : { pack }
  })
  return { packs: list, objectFormat: of.objectFormat }
}

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What is compared of an object. */
export async function describeObject({ oid, type, size, data }: GitObject) {
  return { oid, type, size, sha256: await sha256(data) }
}

export function wanted({ oid, type, size, sha256 }: ExpectedObject) {
  return { oid, type, size, sha256 }
}

export async function errorOf(ask: () => unknown): Promise<PacklensError> {
  try {
    await ask()
  } catch (error) {
    if (isPacklensError(error)) return error
    throw error
  }
  throw new Error('this should have failed')
}

export async function codeOf(ask: () => unknown): Promise<ErrorCode> {
  return (await errorOf(ask)).code
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
