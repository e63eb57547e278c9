/** Clients of a file system, in the shapes that isomorphic-git takes, made one. */
import { PacklensError } from '../errors.js'
import { isPromise } from '../maybe.js'
import { isAbsence, sourceError } from './failed.js'

type AnyFunction = (...args: never[]) => unknown

/**
 * What is called of a client. As in Node's `fs`: of `fs.promises`, with promises;
 * of `fs` itself, with a callback behind the other arguments.
 */
export interface FsFunctions {
  readonly readFile: AnyFunction
  readonly readdir: AnyFunction
  readonly stat: AnyFunction
  /** With it large files are read by parts, else whole. */
  readonly open?: AnyFunction
  /** `fstat`, `read` and `close` go with `open` where that gives a number. */
  readonly fstat?: AnyFunction
  readonly read?: AnyFunction
  readonly close?: AnyFunction
}

/**
 * A client of a file system: Node's `fs`, memfs, lightning-fs, or whatever else
 * isomorphic-git reads from.
 */
export type FsClient = FsFunctions | { readonly promises: FsFunctions }

/** Paths are text where their bytes are UTF-8. */
export type FsPath = string | Uint8Array

/** What is looked at of a file. */
export interface FsStat {
  readonly size: number
  readonly mtimeMs?: number
  readonly mtime?: Date | number
  isFile(): boolean
  isDirectory(): boolean
}

/** An entry of a folder; `isFolder` is unknown where only names are given. */
export interface FsEntry {
  readonly name: FsPath
  readonly isFolder: boolean | undefined
}

/** A file that is held open. */
export interface FsHandle {
  stat(): Promise<FsStat>
  /** Fills `target` from `offset` on and returns how many bytes that were. */
  read(target: Uint8Array, offset: number): Promise<number>
  close(): Promise<void>
}

/** A client, whichever its shape. What is not there is `null`. */
export interface Client {
  readonly open: ((path: FsPath) => Promise<FsHandle | null>) | undefined
  stat(path: FsPath): Promise<FsStat | null>
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

/** Makes one client of either shape. */
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

/** Some clients have promises without `promises`: they are known by what they return. */
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

/** Names as bytes, and what they are: one call where the client is as able as Node's. */
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
  throw new PacklensError('BAD_INPUT', '`readFile` of `fs` must give a Uint8Array')
}

/** A client that knows text only has nothing at a path that is none. */
async function orNull<T>(path: FsPath, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (isAbsence(error) || (typeof path !== 'string' && error instanceof TypeError)) return null
    const subject = typeof path === 'string' ? path : new TextDecoder().decode(path)
    throw sourceError(error, 'the `fs` client failed', subject)
  }
}
