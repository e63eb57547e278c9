/** Classifies errors that a caller's source or the platform throws, and wraps them. */
import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise } from '../base/maybe.js'
import type { LentFile } from './store.js'

/**
 * The error codes of file systems for a file that does not exist: it is missing, its name is
 * invalid, or symbolic links form a loop.
 */
const ABSENCE: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'EINVAL',
  'ERR_INVALID_ARG_VALUE',
])

/** Returns whether an error of a file system means that a file does not exist. */
export function isAbsence(error: unknown): boolean {
  return ABSENCE.has(codeOf(error))
}

/** Returns whether an error means that too many files are open. */
export function isTooManyOpen(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes(codeOf(error) as string)
}

/** Returns whether an error means that the user has no permission to read a file. */
export function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(codeOf(error) as string)
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null | undefined)?.code
}

/**
 * Wraps the error that a source or function of the caller threw in a `SOURCE` error. Returns
 * errors of packlens unchanged.
 */
export function sourceError(error: unknown, what: string, subject?: string): PacklensError {
  if (error instanceof PacklensError) return error
  const message = `${what}: ${messageOf(error)}`
  return new PacklensError('SOURCE', message, { subject, cause: error })
}

/**
 * Thrown by a file that exists but cannot be read by any call. Its content counts as damaged;
 * `error` is the reason.
 */
export class UnreadableFile {
  readonly error: PacklensError

  constructor(error: PacklensError) {
    this.error = error
  }
}

/** Returns a stand-in for a file that cannot be opened, for lack of permission say. */
export function unreadableFile(error: PacklensError): LentFile {
  const read = (): never => {
    throw new UnreadableFile(error)
  }
  // An empty file would never be read, and the error never thrown.
  return { size: 1, stamp: 0, blockSize: 1, read }
}

/** Returns whether git skips a directory that it has no permission to list. */
export function isSkippedByGit(path: string, error: unknown): boolean {
  return isDenied(error) && /^(refs|logs)(\/|$)/.test(path)
}

/** Calls a function of the caller; wraps what it throws or rejects with: {@link sourceError}. */
export function guarded<T>(
  call: () => MaybePromise<T>,
  what: string,
  subject?: string,
): MaybePromise<T> {
  const failed = (error: unknown): never => {
    throw error instanceof UnreadableFile ? error : sourceError(error, what, subject)
  }
  try {
    const value = call()
    return isPromise(value) ? value.then((value) => value, failed) : value
  } catch (error) {
    return failed(error)
  }
}

/** Returns the message of any thrown value, even of one that cannot be converted to text. */
function messageOf(error: unknown): string {
  try {
    return String((error as Error | null | undefined)?.message ?? error)
  } catch {
    return 'something that is not an error'
  }
}

/** Returns a function that calls the caller's, if given, and wraps what it throws. */
export function ofCaller<A extends readonly unknown[]>(
  name: string,
  call: ((...args: A) => void) | undefined,
): (...args: A) => void {
  return (...args) => {
    guarded<unknown>(() => call?.(...args), `\`${name}\` failed`)
  }
}
