/** What went wrong, told by what a caller can do about it. */
export type ErrorCode =
  /** There is no such object, ref, path or repository. */
  | 'NOT_FOUND'
  /** The object belongs to this partial clone, but was never fetched. */
  | 'PROMISED'
  /** A shortened object id stands for several objects. */
  | 'AMBIGUOUS'
  /** The object is there, but of another type than asked for. */
  | 'WRONG_TYPE'
  /** The bytes break their format, or are not what their id says. */
  | 'CORRUPT'
  /** The bytes may be fine, but packlens cannot read their format. */
  | 'UNSUPPORTED'
  /** This takes more than was allowed; the message names what to raise. */
  | 'LIMIT'
  /** A file is no longer the one that was opened. */
  | 'CHANGED'
  /** The server cannot be reached, fails or refuses; `status` is its answer. */
  | 'NETWORK'
  /**
   * The source failed: a file that cannot be read, a store or a function of the caller's
   * that threw. `cause` is what was thrown.
   */
  | 'SOURCE'
  /** The question makes no sense, or the source is none. */
  | 'BAD_INPUT'
  /** The signal was aborted; its reason is the cause. */
  | 'ABORTED'
  /** The repository was closed. */
  | 'CLOSED'
  /** A defect of packlens. The next call runs on a fresh instance. */
  | 'INTERNAL'

/** Where an error happened, and why. */
export interface ErrorDetails {
  file?: string | undefined
  offset?: number | undefined
  subject?: string | undefined
  status?: number | undefined
  cause?: unknown
}

/** The one error that packlens throws. */
export class PacklensError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PacklensError'

  /** What to match on; `message` is for people and may change. */
  readonly code: C

  /** The file it happened in, such as `objects/pack/pack-1a2b.pack`. */
  readonly file: string | undefined

  /** Where in that file it happened, in bytes. */
  readonly offset: number | undefined

  /** What it is about: an object id, a refname, a revision. */
  readonly subject: string | undefined

  /** What a server answered with, such as 403. */
  readonly status: number | undefined

  /** @internal */
  constructor(code: C, what: string, details: ErrorDetails = {}) {
    const { file, offset, subject, status, cause } = details
    super(what + whereabouts(details), cause === undefined ? {} : { cause })
    this.code = code
    this.file = file
    this.offset = offset
    this.subject = subject
    this.status = status
  }
}

/** @internal What stands behind the message of an error. */
export function whereabouts({ file, offset, subject }: ErrorDetails): string {
  const about = subject ? `: ${subject}` : ''
  const where = file === undefined ? '' : ` (${file} at offset ${offset ?? 0})`
  return about + where
}

/**
 * Tells whether `error` came from packlens, and with one of `codes` if any are
 * given.
 *
 * ```ts
 * try {
 *   await repo.read('HEAD:README.md')
 * } catch (error) {
 *   if (!isPacklensError(error, 'NOT_FOUND')) throw error
 * }
 * ```
 */
export function isPacklensError<C extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: C[]
): error is PacklensError<C> {
  if (!(error instanceof PacklensError)) return false
  return codes.length === 0 || (codes as ErrorCode[]).includes(error.code)
}
