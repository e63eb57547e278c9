/** Files of the origin private file system (OPFS), which a dedicated worker can read in place. */
import type { AccessHandle, HandleFile } from './store.js'

/** Bytes. In a private window each read is a call to another process, whatever its length. */
const BLOCK = 256 << 10

/** TypeScript declares the method for workers only, and without `mode`. */
interface WorkerFileHandle {
  createSyncAccessHandle(options: { mode: 'read-only' }): Promise<AccessHandle>
}

/**
 * Opens a file that never changes while it exists. Returns `null` if the file must be read in
 * another way: outside of workers, if the user picked it, or if others have locked it. A browser
 * that does not support `mode` locks the file exclusively.
 */
export async function openHandle(file: FileSystemFileHandle): Promise<HandleFile | null> {
  if (!('createSyncAccessHandle' in file)) return null
  try {
    const options = { mode: 'read-only' } as const
    const handle = await (file as WorkerFileHandle).createSyncAccessHandle(options)
    const close = () => handle.close()
    return { handle, size: handle.getSize(), stamp: 0, blockSize: BLOCK, close }
  } catch {
    return null
  }
}
