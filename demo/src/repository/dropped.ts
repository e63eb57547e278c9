/** Reads a drop on the page: a folder, or files. */

import { entryStore } from './entry-store'
import type { Candidate } from './opened'
import { folderCandidate, packCandidate } from './picked'

type WithHandle = DataTransferItem & {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

/** Must be called in the event handler of the drop: later the browser returns no files. */
export function droppedCandidate(transfer: DataTransfer): Promise<Candidate> {
  const items = Array.from(transfer.items).filter((item) => item.kind === 'file')
  const files = Array.from(transfer.files)
  const handles = items.map((item: WithHandle) => item.getAsFileSystemHandle?.().catch(() => null))
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null)
  return choose(handles, entries, files)
}

async function choose(
  handles: readonly (Promise<FileSystemHandle | null> | undefined)[],
  entries: readonly (FileSystemEntry | null)[],
  files: readonly File[],
): Promise<Candidate> {
  for (const handle of await Promise.all(handles)) {
    if (handle?.kind === 'directory') {
      return folderCandidate(handle as FileSystemDirectoryHandle, handle.name)
    }
  }
  for (const entry of entries) {
    if (!entry?.isDirectory) continue
    const store = await entryStore(entry as FileSystemDirectoryEntry)
    return folderCandidate(store, entry.name)
  }
  return packCandidate(files)
}
