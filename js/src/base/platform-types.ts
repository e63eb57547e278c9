/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The platform's types that the API names. In a project with the type library of the DOM or of
 * Node, each is the type of that library; in a project with neither, a minimal replacement.
 */

declare global {
  /** Declares the type for projects without a library; adds nothing to a library's own. */
  // biome-ignore lint/suspicious/noExplicitAny: declarations of one interface must agree
  interface ReadableStream<R = any> {}
}

/** The instance type of the global class `Name`; `Else` if there is no such class. */
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

/** The options of `fetch`. */
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

/** A stream of bytes, such as the body of a response or the stream of a file. */
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
