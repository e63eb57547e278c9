/**
 * Serializes sources for a worker. A source of plain data crosses. A source with methods of
 * the caller's stays in the page, and the worker asks for its files: see `store-host.ts`.
 * Buffers of the caller's are copied, never transferred.
 */

/** A serialized source, and the buffers to transfer with it. */
export interface SerializedSource {
  readonly value: unknown
  readonly transfer: readonly Transferable[]
}

/** A value tagged with its kind: structured clone refuses URLs and loses paths of files. */
type Tagged =
  | readonly ['plain', unknown]
  | readonly ['list', readonly Tagged[]]
  | readonly ['record', readonly (readonly [string, Tagged])[]]
  | readonly ['url', string]
  | readonly ['file', Blob, string]

/** The depth at which a value stays: no source is nested so deeply, and cycles must end. */
const MOST_DEPTH = 8

/** Copies bytes into a new buffer, which is transferred. */
type Copy = () => ArrayBuffer

class CannotCross extends Error {}

/** Serializes a source; returns `null` if it has to stay. */
export function serializeSource(source: unknown): SerializedSource | null {
  const copies: Copy[] = []
  try {
    const value = tagged(source, copies, MOST_DEPTH)
    // Bytes are copied only once the whole source is known to cross.
    return { value, transfer: copies.map((copy) => copy()) }
  } catch (error) {
    if (error instanceof CannotCross) return null
    throw error
  }
}

/** Deserializes a source. */
export function deserializeSource(value: unknown): unknown {
  const [kind, content, path] = value as Tagged
  switch (kind) {
    case 'plain':
      return content
    case 'list':
      return content.map(deserializeSource)
    case 'record':
      return Object.fromEntries(content.map(([key, inner]) => [key, deserializeSource(inner)]))
    case 'url':
      return new URL(content)
    case 'file':
      // A cloned file loses its path and, in Node, its name.
      return Object.defineProperty(content, 'webkitRelativePath', { value: path })
  }
}

function tagged(value: unknown, copies: Copy[], depth: number): Tagged {
  if (typeof value === 'function' || typeof value === 'symbol' || depth === 0) {
    throw new CannotCross()
  }
  if (typeof value !== 'object' || value === null) return ['plain', value]
  if (value instanceof ArrayBuffer) return copied(value, copies)
  if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) {
    return copied(value, copies)
  }
  // A view of a `SharedArrayBuffer` crosses without a copy: both threads share the memory.
  if (value instanceof Uint8Array) return ['plain', value]
  if (value instanceof URL) return ['url', value.href]
  if (isA('File', value)) {
    const file = value as File
    return ['file', file, file.webkitRelativePath || file.name]
  }
  if (isA('Blob', value) || isA('FileSystemHandle', value)) return ['plain', value]
  const inside = (inner: unknown) => tagged(inner, copies, depth - 1)
  if (Array.isArray(value) || isA('FileList', value)) {
    return ['list', Array.from(value as Iterable<unknown>, inside)]
  }
  // An instance of a class has the methods of its prototype, which cannot cross.
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new CannotCross()
  const entries = Object.entries(value).map(([key, inner]): [string, Tagged] => [
    key,
    inside(inner),
  ])
  return ['record', entries]
}

function copied(bytes: ArrayBuffer | Uint8Array, copies: Copy[]): Tagged {
  const holder: ['plain', unknown] = ['plain', undefined]
  copies.push(() => {
    const copy = new Uint8Array(new Uint8Array(bytes as ArrayBuffer))
    holder[1] = bytes instanceof ArrayBuffer ? copy.buffer : copy
    return copy.buffer
  })
  return holder
}

/** Returns whether a value is an instance of a global class, which some platforms lack. */
function isA(name: string, value: object): boolean {
  const known = (globalThis as Record<string, unknown>)[name]
  return typeof known === 'function' && value instanceof known
}
