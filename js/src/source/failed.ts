/** What a source of the caller's, or the platform, throws: told apart, and made one class. */
import { PacklensError } from '../errors.js'
import type { MaybePromise } from '../maybe.js'
import { isPromise } from '../maybe.js'
import type { LentFile } from './store.js'

/**
 * What a file system answers where a name leads to no file: there is none, or it cannot
 * have that name, or symbolic links lead round in a circle.
 */
const ABSENCE: ReadonlySet<unknown> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'EINVAL',
  'ERR_INVALID_ARG_VALUE',
])

/** Tells whether an error of a file system says that there is no such file. */
export function isAbsence(error: unknown): boolean {
  return ABSENCE.has(codeOf(error))
}

/** Tells whether an error says that no more files can be open at a time. */
export function isTooManyOpen(error: unknown): boolean {
  return ['EMFILE', 'ENFILE'].includes(codeOf(error) as string)
}

/** Tells whether an error says that this user may not read a file. */
export function isDenied(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(codeOf(error) as string)
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | null | undefined)?.code
}

/**
 * Returns the error that is thrown in place of what a source or a function of the
 * caller's threw. Errors of packlens stay as they are.
 */
export function sourceError(error: unknown, what: string, subject?: string): PacklensError {
  if (error instanceof PacklensError) return error
  const message = `${what}: ${messageOf(error)}`
  return new PacklensError('SOURCE', message, { subject, cause: error })
}

/**
 * Thrown by a file that is there and cannot be read, whoever asks. What it holds counts as
 * damaged; `error` says why.
 */
export class Unreadable {
  readonly error: PacklensError

  constructor(error: PacklensError) {
    this.error = error
  }
}

/** A file that may be there and cannot be opened, as without permission. */
export function unreadableFile(error: PacklensError): LentFile {
  const read = (): never => {
    throw new Unreadable(error)
  }
  // Not empty: then nothing of it would have to be read.
  return { size: 1, stamp: 0, blockSize: 1, read }
}

/** Tells whether git passes over a directory that it may not list. */
export function isPassedOver(path: string, error: unknown): boolean {
  return isDenied(error) && /^(refs|logs)(\/|$)/.test(path)
}

/** Calls what is the caller's; whatever it throws, or rejects with, is an error of packlens. */
export function guarded<T>(
  call: () => MaybePromise<T>,
  what: string,
  subject?: string,
): MaybePromise<T> {
  const failed = (error: unknown): never => {
    throw error instanceof Unreadable ? error : sourceError(error, what, subject)
  }
  try {
    const value = call()
    return isPromise(value) ? value.then((value) => value, failed) : value
  } catch (error) {
    return failed(error)
  }
}

/** Anything can be thrown, and not all of it can be made text. */
function messageOf(error: unknown): string {
  try {
    return String((error as Error | null | undefined)?.message ?? error)
  } catch {
    return 'something that is not an error'
  }
}

/** A function of the caller's as it is called here: what it throws is an error of packlens. */
export function ofCaller<A extends readonly unknown[]>(
  name: string,
  call: ((...args: A) => void) | undefined,
): (...args: A) => void {
  return (...args) => {
    guarded<unknown>(() => call?.(...args), `\`${name}\` failed`)
  }
}
