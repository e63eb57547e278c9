/// <reference lib="esnext.disposable" preserve="true" />
/**
 * Types of the platform, as the API names them: those of the DOM's library or of Node's,
 * and where a project has neither, the least that stands for them. With these libraries
 * each is the very type of theirs.
 */

declare global {
  /** With the DOM's library, or Node's, this adds nothing to theirs. */
  // biome-ignore lint/suspicious/noExplicitAny: declarations of one interface must agree
  interface ReadableStream<R = any> {}
}

/** What `new` makes of the class of this name, if there is one. */
type Instance<Name extends string, Else> =
  typeof globalThis extends Record<Name, { prototype: infer Known }> ? Known : Else

export type AbortSignal = Instance<
  'AbortSignal',
  {
    readonly aborted: boolean
    readonly reason: unknown
    addEventListener(type: 'abort', listener: () => void): void
    removeEventListener(type: 'abort', listener: () => void): void
  }
>

export type URL = Instance<'URL', { readonly href: string }>

export type Blob = Instance<
  'Blob',
  { readonly size: number; slice(start?: number, end?: number): unknown }
>

export type File = Instance<'File', Blob & { readonly name: string }>

export type FileList = Instance<'FileList', Iterable<File> & { readonly length: number }>

export type FileSystemDirectoryHandle = Instance<
  'FileSystemDirectoryHandle',
  {
    readonly kind: 'directory'
    readonly name: string
    getDirectoryHandle(name: string): Promise<unknown>
    getFileHandle(name: string): Promise<unknown>
  }
>

export type Response = Instance<
  'Response',
  {
    readonly status: number
    readonly ok: boolean
    readonly url: string
    readonly headers: { get(name: string): string | null }
    arrayBuffer(): Promise<ArrayBuffer>
  }
>

/** What `fetch` takes besides an address. */
export type RequestInit = typeof globalThis extends {
  fetch: (address: string, init?: infer Known) => unknown
}
  ? NonNullable<Known>
  : { readonly method?: string; readonly headers?: Readonly<Record<string, string>> }

/** A compiled module of WebAssembly. */
export type WasmModule = typeof globalThis extends {
  WebAssembly: { Module: { prototype: infer Known } }
}
  ? Known
  : object

/** A stream of bytes, as `fetch` and files give them. */
export type ReadableBytes<Bytes extends Uint8Array = Uint8Array> =
  ReadableStream<Bytes> extends { getReader: unknown }
    ? ReadableStream<Bytes>
    : AsyncIterable<Bytes> & {
        getReader(): {
          read(): Promise<{ readonly done: boolean; readonly value?: Bytes | undefined }>
          releaseLock(): void
        }
        cancel(reason?: unknown): Promise<void>
      }
