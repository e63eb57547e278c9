/** Makes folders in the origin private file system. */
import type { Bytes } from './untar.ts'

async function folderAt(
  root: FileSystemDirectoryHandle,
  parts: readonly string[],
): Promise<FileSystemDirectoryHandle> {
  let folder = root
  for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true })
  return folder
}

export async function writeFile(
  root: FileSystemDirectoryHandle,
  path: string,
  bytes: Bytes,
): Promise<void> {
  const parts = path.split('/')
  const folder = await folderAt(root, parts.slice(0, -1))
  const file = await folder.getFileHandle(parts.at(-1) ?? '', { create: true })
  const stream = await file.createWritable()
  await stream.write(bytes)
  await stream.close()
}

/** Writes all files to a new folder, with the folders that every git directory has. */
export async function writeFolder(
  name: string,
  files: ReadonlyMap<string, Bytes>,
): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  await root.removeEntry(name, { recursive: true }).catch(() => {})
  const folder = await root.getDirectoryHandle(name, { create: true })
  for (const [path, bytes] of files) await writeFile(folder, path, bytes)
  if (files.has('HEAD')) await folderAt(folder, ['objects'])
  return folder
}
