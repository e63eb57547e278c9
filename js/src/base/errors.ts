/** The kinds of errors; two kinds differ if a caller would act differently. */
export type ErrorCode =
  /** There is no such object, ref, path or repository. */
  | 'NOT_FOUND'
  /** The object belongs to this partial clone, but was never fetched. */
  | 'PROMISED'
  /** A shortened object id stands for several objects. */
  | 'AMBIGUOUS'
  /** The object exists, but has another type than requested. */
  | 'WRONG_TYPE'
  /** The bytes violate their format, or do not match their id. */
  | 'CORRUPT'
  /** The bytes may be fine, but packlens cannot read their format. */
  | 'UNSUPPORTED'
  /** The call exceeds a limit; the message names the limit to raise. */
  | 'LIMIT'
  /** A file has changed since it was opened. */
  | 'CHANGED'
  /** The server cannot be reached, fails or refuses; `status` is its HTTP status. */
  | 'NETWORK'
  /**
   * The source failed: a file cannot be read, or a store or function of the caller threw.
   * `cause` is the original error.
   */
  | 'SOURCE'
  /** An argument, an option or the source is invalid. */
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

  /** The kind of error, to match on; `message` is for people and may change. */
  readonly code: C

  /** The file in which the error occurred, such as `objects/pack/pack-1a2b.pack`. */
  readonly file: string | undefined

  /** The offset in that file, in bytes. */
  readonly offset: number | undefined

  /** The subject of the error: an object id, a refname, a revision. */
  readonly subject: string | undefined

  /** The HTTP status of the server's response, such as 403. */
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

/** @internal Returns the error of a synchronous call that needs the full module, or its code. */
export function fullNotLoaded(): PacklensError {
  const what =
    "this needs the full module: await load({ preload: 'full' }) before synchronous calls"
  return new PacklensError('BAD_INPUT', what)
}

/** @internal Returns the subject and place that are appended to an error's message. */
export function whereabouts({ file, offset, subject }: ErrorDetails): string {
  const about = subject ? `: ${subject}` : ''
  const where = file === undefined ? '' : ` (${file} at offset ${offset ?? 0})`
  return about + where
}

/**
 * Returns whether `error` is from packlens and has one of `codes`, if any are given.
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
