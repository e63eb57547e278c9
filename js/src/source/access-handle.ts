/** Files of the origin's private file system, as a dedicated worker may read them. */
import type { AccessHandle, HandleFile } from './store.js'

/** In a private window each read goes to another process, whatever its length. */
const BLOCK = 256 << 10

/** TypeScript knows it in workers only, and there without `mode`. */
interface WorkerFileHandle {
  createSyncAccessHandle(options: { mode: 'read-only' }): Promise<AccessHandle>
}

/**
 * Opens a file that does not change while it is there; `null` where its bytes
 * have to come another way: outside of workers, for files that the user picked,
 * and for those that are locked by others. A browser that does not know `mode`
 * locks the file for us alone.
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
