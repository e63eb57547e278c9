/**
 * Sources on their way to a worker. What is made of data crosses; what has
 * methods of the user's stays, and the worker asks for its files: see
 * `store-host.ts`. Nothing that the user holds is taken away.
 */

/** A source that can cross. */
export interface Crossing {
  readonly value: unknown
  readonly transfer: readonly Transferable[]
}

/** A value that a clone would not bring over as it is, and what it is made of. */
type Tagged =
  | readonly ['plain', unknown]
  | readonly ['list', readonly Tagged[]]
  | readonly ['record', readonly (readonly [string, Tagged])[]]
  | readonly ['url', string]
  | readonly ['file', Blob, string]

/** Deeper than any source is, so that a circle ends. */
const MOST_DEPTH = 8

/** Copies bytes into memory of their own, which is to be transferred. */
type Copy = () => ArrayBuffer

class Stays extends Error {}

/** Returns what is sent in place of `source`; `null` if it has to stay. */
export function crossing(source: unknown): Crossing | null {
  const copies: Copy[] = []
  try {
    const value = tagged(source, copies, MOST_DEPTH)
    // Not before it is known that all of it crosses.
    return { value, transfer: copies.map((copy) => copy()) }
  } catch (error) {
    if (error instanceof Stays) return null
    throw error
  }
}

/** Returns the source that was sent. */
export function arrived(value: unknown): unknown {
  const [kind, content, path] = value as Tagged
  switch (kind) {
    case 'plain':
      return content
    case 'list':
      return content.map(arrived)
    case 'record':
      return Object.fromEntries(content.map(([key, inner]) => [key, arrived(inner)]))
    case 'url':
      return new URL(content)
    case 'file':
      // Clones of files keep neither their path nor, in Node, their name.
      return Object.defineProperty(content, 'webkitRelativePath', { value: path })
  }
}

function tagged(value: unknown, copies: Copy[], depth: number): Tagged {
  if (typeof value === 'function' || typeof value === 'symbol' || depth === 0) throw new Stays()
  if (typeof value !== 'object' || value === null) return ['plain', value]
  if (value instanceof ArrayBuffer) return copied(value, copies)
  // Memory that is shared stays so, and costs no copy.
  if (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer) {
    return copied(value, copies)
  }
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
  // Instances of classes have methods: those of their prototype.
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new Stays()
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

/** Not every platform has every class. */
function isA(name: string, value: object): boolean {
  const known = (globalThis as Record<string, unknown>)[name]
  return typeof known === 'function' && value instanceof known
}
