/** Adapts file system clients, in the shapes that isomorphic-git takes, to one interface. */
import { PacklensError } from '../base/errors.js'
import { isPromise } from '../base/maybe.js'
import { isAbsence, sourceError } from './failed.js'

type AnyFunction = (...args: never[]) => unknown

/**
 * The functions of a client, as in Node: those of `fs.promises` return promises, those of `fs`
 * itself take a callback as their last argument.
 */
export interface FsFunctions {
  readonly readFile: AnyFunction
  readonly readdir: AnyFunction
  readonly stat: AnyFunction
  /** For the files of a worktree; without it no file is known to be a symbolic link. */
  readonly lstat?: AnyFunction
  readonly readlink?: AnyFunction
  /** If there is `open`, large files are read by ranges; otherwise whole. */
  readonly open?: AnyFunction
  /** `fstat`, `read` and `close` are needed if `open` returns a file descriptor, a number. */
  readonly fstat?: AnyFunction
  readonly read?: AnyFunction
  readonly close?: AnyFunction
}

/**
 * A file system client: Node's `fs`, memfs, lightning-fs, or any other that isomorphic-git can
 * read from.
 */
export type FsClient = FsFunctions | { readonly promises: FsFunctions }

/** A path: text if its bytes are UTF-8, otherwise the bytes. */
export type FsPath = string | Uint8Array

/** The properties of a file that are used. */
export interface FsStat {
  readonly size: number
  readonly mtimeMs?: number
  readonly mtime?: Date | number
  readonly mode?: number
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink?(): boolean
}

/** An entry of a folder. `isFolder` is unknown for symbolic links and if only names are listed. */
export interface FsEntry {
  readonly name: FsPath
  readonly isFolder: boolean | undefined
}

/** An open file. */
export interface FsHandle {
  stat(): Promise<FsStat>
  /** Fills `target` from `offset` on and returns how many bytes that were. */
  read(target: Uint8Array, offset: number): Promise<number>
  close(): Promise<void>
}

/** A client of any shape. The methods return `null` if the file does not exist. */
export interface Client {
  readonly open: ((path: FsPath) => Promise<FsHandle | null>) | undefined
  stat(path: FsPath): Promise<FsStat | null>
  /** As `stat`, of a symbolic link itself. */
  lstat(path: FsPath): Promise<FsStat | null>
  readlink(path: FsPath): Promise<Uint8Array | null>
  readFile(path: FsPath): Promise<Uint8Array | null>
  list(path: FsPath): Promise<FsEntry[] | null>
}

interface Dirent {
  readonly name: FsPath
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

interface FileHandle {
  stat(): Promise<FsStat>
  read(to: Uint8Array, at: number, length: number, from: number): Promise<{ bytesRead: number }>
  close(): Promise<void>
}

type Call = (name: keyof FsFunctions, ...args: unknown[]) => Promise<unknown>

/** Adapts a client of either shape. */
export function clientOf(fs: FsClient): Client {
  const { promises: given } = (fs ?? {}) as { readonly promises?: FsFunctions }
  const promises = isClient(given) ? given : undefined
  const functions = promises ?? fs
  if (!isClient(functions)) {
    const what =
      '`fs` needs readFile, readdir and stat, with promises below `promises` or callbacks'
    throw new PacklensError('BAD_INPUT', what)
  }
  const call = promises ? promisingCall(promises) : callbackCall(functions)
  return {
    open: opener(functions, call, promises !== undefined),
    stat: (path) => orNull(path, () => call('stat', path) as Promise<FsStat>),
    lstat: (path) =>
      orNull(path, () => call(functions.lstat ? 'lstat' : 'stat', path) as Promise<FsStat>),
    readlink: (path) =>
      orNull(path, async () => linkFrom(await call('readlink', path, { encoding: 'buffer' }))),
    readFile: (path) => orNull(path, async () => bytesFrom(await call('readFile', path, {}))),
    list: (path) =>
      orNull(path, () => (promises ? listEntries(call, path) : listNames(call, path))),
  }
}

function isClient(value: unknown): value is FsFunctions {
  const functions = value as FsFunctions | null | undefined
  const needed = [functions?.readFile, functions?.readdir, functions?.stat]
  return needed.every((one) => typeof one === 'function')
}

function promisingCall(functions: FsFunctions): Call {
  return async (name, ...args) => functions[name]?.(...(args as never[]))
}

/** Calls functions with callbacks; also awaits promises, which some of these clients return. */
function callbackCall(functions: FsFunctions): Call {
  return (name, ...args) =>
    new Promise((resolve, reject) => {
      const done = (error: unknown, result: unknown) => (error ? reject(error) : resolve(result))
      const returned = functions[name]?.(...([...args, done] as never[]))
      if (isPromise(returned)) returned.then(resolve, reject)
    })
}

function opener(functions: FsFunctions, call: Call, promising: boolean): Client['open'] {
  const numbered = functions.fstat && functions.read && functions.close
  if (!functions.open || !(promising || numbered)) return undefined
  return (path) =>
    orNull(path, async () => {
      const opened = await call('open', path, 'r')
      return typeof opened === 'number' ? numberedHandle(opened, call) : ownHandle(opened)
    })
}

function ownHandle(opened: unknown): FsHandle {
  const handle = opened as FileHandle
  return {
    stat: () => handle.stat(),
    close: () => handle.close(),
    async read(target, offset) {
      return (await handle.read(target, 0, target.byteLength, offset)).bytesRead
    },
  }
}

function numberedHandle(file: number, call: Call): FsHandle {
  return {
    stat: () => call('fstat', file) as Promise<FsStat>,
    read: (target, offset) =>
      call('read', file, target, 0, target.byteLength, offset) as Promise<number>,
    close: () => call('close', file) as Promise<void>,
  }
}

/** Lists names as bytes, with their types, in one call; only names if the client cannot. */
async function listEntries(call: Call, path: FsPath): Promise<FsEntry[]> {
  let listed: (FsPath | Dirent)[]
  try {
    const options = { encoding: 'buffer', withFileTypes: true }
    listed = (await call('readdir', path, options)) as (FsPath | Dirent)[]
  } catch (error) {
    if (isAbsence(error)) throw error
    return listNames(call, path)
  }
  return listed.map((entry) => {
    if (typeof entry === 'string' || entry instanceof Uint8Array) return unknownEntry(entry)
    const isFolder = entry.isSymbolicLink() ? undefined : entry.isDirectory()
    return { name: entry.name, isFolder }
  })
}

async function listNames(call: Call, path: FsPath): Promise<FsEntry[]> {
  return ((await call('readdir', path)) as FsPath[]).map(unknownEntry)
}

function unknownEntry(name: FsPath): FsEntry {
  return { name, isFolder: undefined }
}

function bytesFrom(content: unknown): Uint8Array {
  if (content instanceof Uint8Array) return content
  if (content instanceof ArrayBuffer) return new Uint8Array(content)
  throw new PacklensError('BAD_INPUT', '`readFile` of `fs` must return a Uint8Array')
}

function linkFrom(target: unknown): Uint8Array {
  return typeof target === 'string' ? new TextEncoder().encode(target) : bytesFrom(target)
}

/**
 * Returns `null` if a file does not exist. So does a `TypeError` for a path of bytes: a client
 * that takes only text has no file there.
 */
async function orNull<T>(path: FsPath, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (isAbsence(error) || (typeof path !== 'string' && error instanceof TypeError)) return null
    const subject = typeof path === 'string' ? path : new TextDecoder().decode(path)
    throw sourceError(error, 'the `fs` client failed', subject)
  }
}
