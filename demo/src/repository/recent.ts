/** Keeps which repositories were opened, so that they can be opened again. */
import { get, update } from 'idb-keyval'
import { addressCandidate } from './address'
import type { Candidate } from './opened'
import { folderCandidate } from './picked'

export interface Recent {
  readonly id: string
  readonly name: string
  /** One of these is there. */
  readonly handle?: FileSystemDirectoryHandle
  readonly address?: string
}

const KEY = 'recent'
const MOST = 8

/** The permissions of handles, which no standard has yet. */
interface WithPermission {
  queryPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
}

/** Returns the newest first; none if the browser keeps nothing for this page. */
export async function recents(): Promise<readonly Recent[]> {
  return (await get<Recent[]>(KEY).catch(() => [])) ?? []
}

/** Returns what was kept; `null` for what cannot be opened again. */
export async function remember({ source, name, address }: Candidate): Promise<Recent | null> {
  const handle = source instanceof FileSystemDirectoryHandle ? source : undefined
  if (!handle && !address) return null
  const known = await recents()
  const same = await find(known, (one) => isSame(one, handle, address))
  const id = same?.id ?? freeId(known)
  const kept: Recent = { id, name, ...(handle && { handle }), ...(address && { address }) }
  const others = known.filter((one) => one.id !== id)
  await update(KEY, () => [kept, ...others].slice(0, MOST))
  return kept
}

async function isSame(
  one: Recent,
  handle: FileSystemDirectoryHandle | undefined,
  address: string | undefined,
): Promise<boolean> {
  if (handle && one.handle) return handle.isSameEntry(one.handle)
  return address !== undefined && one.address === address
}

async function find(
  all: readonly Recent[],
  fits: (one: Recent) => Promise<boolean>,
): Promise<Recent | undefined> {
  for (const one of all) if (await fits(one).catch(() => false)) return one
  return undefined
}

function freeId(known: readonly Recent[]): string {
  return `${1 + Math.max(0, ...known.map(({ id }) => Number(id)))}`
}

/** Returns whether the page may read a folder, without asking the user. */
export async function mayRead({ handle }: Recent): Promise<boolean> {
  const state = await (handle as WithPermission | undefined)?.queryPermission?.({ mode: 'read' })
  return state === undefined || state === 'granted'
}

/** Opens a repository again; asks the user if needed, which takes a click before. */
export async function reopened({ handle, address, name }: Recent): Promise<Candidate | null> {
  if (address !== undefined) return addressCandidate(address)
  if (!handle) return null
  const state = await (handle as WithPermission).requestPermission?.({ mode: 'read' })
  return state === undefined || state === 'granted' ? folderCandidate(handle, name) : null
}
