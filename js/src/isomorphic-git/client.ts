/** Calls functions of a file system client of any shape. */
import type { FsClient } from '../index.js'

type AnyFunction = (...args: unknown[]) => unknown

/** What a client says of a file. */
export interface FileFacts {
  readonly mode?: number
  readonly size?: number
  readonly dev?: number
  readonly ino?: number
  readonly uid?: number
  readonly gid?: number
  readonly ctimeMs?: number
  readonly ctime?: Date | number
  readonly mtimeMs?: number
  readonly mtime?: Date | number
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink?(): boolean
}

/** The functions of a client, which return promises. */
export interface PromisingClient {
  stat(path: string): Promise<{ isDirectory(): boolean }>
  lstat(path: string): Promise<FileFacts>
  /** The target of a symbolic link. */
  readlink(path: string): Promise<Uint8Array>
  readFile(path: string, options: unknown): Promise<unknown>
  readdir(path: string, options?: unknown): Promise<unknown>
}

/** Returns the client itself of the wrapper that isomorphic-git passes to walkers. */
export function unwrapped(fs: FsClient): FsClient {
  const { _original_unwrapped_fs: inner } = fs as { readonly _original_unwrapped_fs?: FsClient }
  return inner ?? fs
}

/** Functions are below `promises`, return promises themselves, or take a callback. */
export function promising(fs: FsClient): PromisingClient {
  const { promises } = fs as { readonly promises?: Record<string, AnyFunction> }
  const functions = promises ?? (fs as unknown as Record<string, AnyFunction>)
  const call = (name: string, args: unknown[]) =>
    new Promise((resolve, reject) => {
      const done = (error: unknown, answer: unknown) => (error ? reject(error) : resolve(answer))
      const returned = functions[name]?.(...args, ...(promises ? [] : [done]))
      // Not `resolve(returned)`: some functions call back instead of settling what they return.
      const { then } = (returned ?? {}) as Partial<Promise<unknown>>
      if (typeof then === 'function') then.call(returned, resolve, reject)
      else if (promises) resolve(returned)
    })
  return {
    stat: (path) => call('stat', [path]) as ReturnType<PromisingClient['stat']>,
    lstat: (path) => call('lstat', [path]) as Promise<FileFacts>,
    readlink: async (path) => {
      const target = await call('readlink', [path, { encoding: 'buffer' }])
      if (typeof target === 'string') return new TextEncoder().encode(target)
      return new Uint8Array(target as Uint8Array)
    },
    readFile: (path, options) => call('readFile', [path, options]),
    readdir: (path, ...options) => call('readdir', [path, ...options]),
  }
}
