/** Finds what changed within the submodules that are checked out. */
import * as path from 'node:path'
import type { StatusQuestion } from '../../base/protocol.js'
import type { ChangedFile, StatusEntry, SubmoduleState, UnchangedFile } from '../../base/types.js'
import { decodeStatus } from '../../objects/status.js'
import { gitDirectoryAt } from '../path-store.js'
import type { Io } from './io.js'
import type { Reader } from './reader.js'
import { openReader } from './reader.js'
import { configuredStore } from './user-config.js'

/** A row of what the command prints. */
export type PrintedEntry = Exclude<StatusEntry, UnchangedFile>

/** A row, and of a submodule what is in it. */
export interface ShownEntry {
  readonly entry: PrintedEntry
  readonly submodule: SubmoduleState | null
  /** Whether the work tree differs from the index, or a submodule has changes within. */
  readonly unstaged: ChangedFile['unstaged']
}

/** What counts of submodules. */
export interface SubmoduleOptions {
  /** What does not count: nothing, untracked files, or everything but the commit. */
  readonly submodules: 'none' | 'untracked' | 'dirty'
  readonly untracked: StatusQuestion['untracked']
}

/** Returns the rows that are shown, given those of a work tree whose top folder is `top`. */
export function withSubmodules(
  io: Io,
  top: string,
  entries: readonly StatusEntry[],
  options: SubmoduleOptions,
): ShownEntry[] {
  return entries.flatMap((entry): ShownEntry[] => {
    if (entry.kind === 'unchanged') return []
    if (entry.kind !== 'changed') return [{ entry, submodule: null, unstaged: null }]
    const submodule = entry.submodule && stateOf(io, top, entry, options)
    const isDirty = submodule?.isModified || submodule?.hasUntracked
    const unstaged = entry.unstaged ?? (isDirty ? 'modified' : null)
    return entry.staged === null && unstaged === null ? [] : [{ entry, submodule, unstaged }]
  })
}

function stateOf(
  io: Io,
  top: string,
  { path: name, hasOtherCommit }: ChangedFile,
  options: SubmoduleOptions,
): SubmoduleState {
  const folder = path.join(top, name)
  const unknown = { hasOtherCommit, isModified: false, hasUntracked: false }
  const directory = options.submodules === 'dirty' ? null : gitDirectoryAt(folder)
  if (directory === null || directory.gitDir === folder) return unknown
  // Variables such as GIT_INDEX_FILE are about the repository around it.
  const environment = { hidesPromised: true, listsLooseOnce: true } as const
  const directories = { worktree: folder }
  const own = { gitDir: directory.gitDir, top: folder }
  const { store } = configuredStore(own, io, { directories, environment })
  const reader = openReader(store, io, { environment })
  try {
    const counts = options.submodules === 'none' && options.untracked !== 'no'
    const rows = statusIn(reader, { untracked: counts ? 'normal' : 'no' })
    const shown = withSubmodules(io, folder, rows, options)
    const isTracked = ({ entry }: ShownEntry) => entry.kind !== 'untracked'
    const others = shown.filter((row) => isTracked(row) && onlyUntracked(row))
    return {
      hasOtherCommit,
      isModified: shown.filter(isTracked).length > others.length,
      hasUntracked: shown.some((row) => !isTracked(row)) || others.length > 0,
    }
  } finally {
    reader.close()
  }
}

/** Returns whether a submodule has nothing but untracked files. */
function onlyUntracked({ entry, submodule }: ShownEntry): boolean {
  const isStaged = entry.kind === 'changed' && entry.staged !== null
  return (
    submodule?.hasUntracked === true &&
    !submodule.isModified &&
    !submodule.hasOtherCommit &&
    !isStaged
  )
}

/** Returns all rows of a status. */
export function statusIn(reader: Reader, question: Omit<StatusQuestion, 'kind'>): StatusEntry[] {
  const found: StatusEntry[] = []
  reader.pages({ kind: 'status', ...question }, (page) => {
    found.push(...decodeStatus(new Uint8Array(page)))
  })
  return found
}
