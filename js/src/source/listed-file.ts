/**
 * The text by which a source describes a file of a work tree, as `worktree/listed.rs` of the core
 * expects it: what is not known does not count.
 */

/** What a source knows of a file. */
export interface ListedFile {
  /** A file, a symbolic link, a directory, the git directory of a repository, or another. */
  readonly kind: 'f' | 'l' | 'd' | 'r' | 'o'
  /** Whether its owner may execute it. */
  readonly isExecutable?: boolean | undefined
  readonly size?: number | bigint | undefined
  /** Seconds since 1970. */
  readonly mtime?: number | bigint | undefined
  readonly ctime?: number | bigint | undefined
  readonly ino?: number | bigint | undefined
  readonly uid?: number | bigint | undefined
  readonly gid?: number | bigint | undefined
}

const encoder = new TextEncoder()

/** Returns the text for a file, to be followed by its name. */
export function factsOf(file: ListedFile): string {
  const { kind, isExecutable, size = 0, mtime, ctime, ino, uid, gid } = file
  const mode = isExecutable === undefined ? '-' : Number(isExecutable)
  const owners = `${uid ?? '-'} ${gid ?? '-'}`
  return `${kind} ${mode} ${size} ${mtime ?? '-'} ${ctime ?? '-'} ${ino ?? '-'} ${owners} `
}

/** Returns the text for a file. */
export function listedFile(file: ListedFile, name: string | Uint8Array): Uint8Array {
  const start = encoder.encode(factsOf(file))
  const end = typeof name === 'string' ? encoder.encode(name) : name
  const text = new Uint8Array(start.byteLength + end.byteLength)
  text.set(start)
  text.set(end, start.byteLength)
  return text
}

/** The owner's bit of a mode; git ignores the other execute bits. */
const EXECUTABLE = 0o100

/** Returns whether a mode lets the owner execute a file. */
export function isExecutable(mode: number | bigint): boolean {
  return (Number(mode) & EXECUTABLE) !== 0
}

/** Returns the second of a time in milliseconds; `undefined` for no time. */
export function secondsOf(milliseconds: number): number | undefined {
  return safe(Math.floor(milliseconds / 1000))
}

/** Returns a number that is exact; `undefined` for others. */
export function safe(number: number): number | undefined {
  return Number.isSafeInteger(number) ? number : undefined
}

/** Returns the kind by what a file system says. */
export function kindOf(stat: Kinds | null | undefined): 'f' | 'l' | 'd' | 'o' {
  if (stat?.isFile()) return 'f'
  if (stat?.isDirectory()) return 'd'
  return stat?.isSymbolicLink?.() ? 'l' : 'o'
}

interface Kinds {
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink?(): boolean
}
