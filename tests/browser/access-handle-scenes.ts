/** Scenes in a worker with access handles, checked from inside the worker. */
import type { Repository } from 'packlens'
import { open } from 'packlens'
import { codeOf, errorOf } from '../support/asking.ts'
import type { Expected } from '../support/expected.ts'
import { writeFile } from './opfs.ts'
import { filesOf, sha256 } from './support.ts'

type Folder = FileSystemDirectoryHandle

/** TypeScript declares these types in workers only. */
interface Handle {
  read(target: Uint8Array, options: { at: number }): number
  truncate(size: number): void
  close(): void
}
interface Locking {
  createSyncAccessHandle(options?: { mode: string }): Promise<Handle>
}
declare const FileSystemSyncAccessHandle: { readonly prototype: Handle }

/** Replaces a method until the returned function is called. */
function replace<T extends object, K extends keyof T>(of: T, name: K, by: (own: T[K]) => T[K]) {
  const own = of[name]
  of[name] = by(own)
  return () => {
    of[name] = own
  }
}

const fileHandles = FileSystemFileHandle.prototype as unknown as Locking

/** Records the handles that are made while `run` runs. */
async function handlesOf<T>(run: () => Promise<T>): Promise<{ result: T; handles: Handle[] }> {
  const handles: Handle[] = []
  const restore = replace(fileHandles, 'createSyncAccessHandle', (own) => {
    return async function (this: Locking, options) {
      const handle = await own.call(this, options)
      handles.push(handle)
      return handle
    }
  })
  return { result: await run().finally(restore), handles }
}

async function packFiles(folder: Folder): Promise<Locking[]> {
  const objects = await folder.getDirectoryHandle('objects')
  const files: Locking[] = []
  for await (const entry of (await objects.getDirectoryHandle('pack')).values()) {
    files.push(entry as unknown as Locking)
  }
  return files
}

/** Returns for each file of a pack whether no handle is open. */
async function free(folder: Folder): Promise<boolean[]> {
  const answers = (await packFiles(folder)).map((file) =>
    file.createSyncAccessHandle().then(
      (handle) => {
        handle.close()
        return true
      },
      () => false,
    ),
  )
  return Promise.all(answers)
}

async function sums(repo: Repository, { objects }: Expected): Promise<string[]> {
  const found: string[] = []
  for (const { oid } of objects) found.push(await sha256((await repo.read(oid)).data))
  return found
}

/** Counts the bytes that are read through handles and through blobs, and their destination. */
export async function counted(folder: Folder, of: Expected) {
  const counts = { reads: 0, bytes: 0, blobs: 0, outside: 0 }
  let memory = 0
  const restoreRead = replace(FileSystemSyncAccessHandle.prototype, 'read', (own) => {
    return function (this: Handle, target, options) {
      counts.reads++
      if (target.buffer.byteLength < memory) counts.outside++
      const count = own.call(this, target, options)
      counts.bytes += count
      return count
    }
  })
  const restoreBlob = replace(Blob.prototype, 'arrayBuffer', (own) => {
    return function (this: Blob) {
      counts.blobs++
      return own.call(this)
    }
  })
  try {
    using repo = await open(folder, { replace: false })
    memory = repo.stats().instanceMemory
    const before = counts.blobs
    const found = await sums(repo, of)
    const { bytesRead, blocksRead } = repo.stats()
    return { ...counts, blobs: counts.blobs - before, bytesRead, blocksRead, sums: found }
  } finally {
    restoreRead()
    restoreBlob()
  }
}

/** Another handle locks the files at first, and not later. */
export async function locked(folder: Folder, of: Expected) {
  const locks = await Promise.all(
    (await packFiles(folder)).map((file) => file.createSyncAccessHandle()),
  )
  const during = await handlesOf(async () => {
    using repo = await open(folder)
    return await sums(repo, of)
  })
  for (const lock of locks) lock.close()
  const after = await handlesOf(async () => {
    using repo = await open(folder)
    return await sums(repo, of)
  })
  return [during, after].map(({ result, handles }) => ({ sums: result, handles: handles.length }))
}

/** Opens two repositories; `exclusive` stands for a browser that does not know `mode`. */
export async function shared(folder: Folder, of: Expected, exclusive: boolean) {
  const restore = replace(fileHandles, 'createSyncAccessHandle', (own) => {
    return function (this: Locking, options) {
      return own.call(this, exclusive ? undefined : options)
    }
  })
  try {
    const { result, handles } = await handlesOf(async () => {
      using first = await open(folder)
      using second = await open(folder)
      return [await sums(first, of), await sums(second, of)]
    })
    return { sums: result, handles: handles.length, free: await free(folder) }
  } finally {
    restore()
  }
}

/** Closing a repository closes its handles, also while files are being opened. */
export async function closing(folder: Folder, of: Expected) {
  const repo = await open(folder)
  await sums(repo, of)
  const before = await free(folder)
  repo.close()
  repo.close()
  const after = await free(folder)
  const early = await open(folder)
  const answer = codeOf(() => early.read(of.objects[0]?.oid ?? ''))
  early.close()
  const code = await answer
  // Pending operations end in their own time.
  let last: boolean[] = []
  for (let tries = 0; tries < 100 && (last.length === 0 || last.includes(false)); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    last = await free(folder)
  }
  return { before, after, code, last }
}

/** Changed refs and new packs are seen. */
export async function growing(folder: Folder, added: Expected) {
  using repo = await open(folder)
  const oid = added.head.oid ?? ''
  const before = [await repo.find(oid), await repo.refs.get('refs/heads/new')]
  for (const [name, bytes] of await filesOf(added)) {
    if (name.startsWith('objects/pack/')) await writeFile(folder, name, bytes)
  }
  const names = []
  for (const target of [oid, added.objects[0]?.oid ?? '']) {
    await writeFile(folder, 'refs/heads/new', new TextEncoder().encode(`${target}\n`))
    names.push((await repo.refs.get('refs/heads/new'))?.oid)
  }
  return { before, names, sums: await sums(repo, added) }
}

/** Files that are truncated under the reader, or become unreadable. */
export async function spoilt(folder: Folder, of: Expected, how: 'truncate' | 'close') {
  // Without `mode` handles may write, which the test needs.
  const restore = replace(fileHandles, 'createSyncAccessHandle', (own) => {
    return function (this: Locking) {
      return own.call(this)
    }
  })
  try {
    const { result, handles } = await handlesOf(async () => {
      // Little memory, so that most of the pack is still unread.
      const repo = await open(folder, { memory: 1 << 20 })
      await repo.info(of.objects[0]?.oid ?? '')
      return repo
    })
    using repo = result
    for (const handle of handles) how === 'truncate' ? handle.truncate(100) : handle.close()
    const error = await errorOf(() => sums(repo, of))
    return [error.code, error.file?.replace(/-\w+/, '')]
  } finally {
    restore()
  }
}
