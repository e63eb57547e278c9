/** Errors with the names, fields and messages' subjects of isomorphic-git's. */

/** The fields that all of isomorphic-git's errors have. */
export class GitError extends Error {
  static readonly code: string = 'GitError'
  readonly code: string = (this.constructor as typeof GitError).code
  override readonly name: string = this.code
  /** The function that failed, such as `git.readBlob`. */
  caller = ''
  readonly data: Readonly<Record<string, unknown>>

  constructor(message: string, data: Record<string, unknown> = {}, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.data = data
  }

  get isIsomorphicGitError(): true {
    return true
  }

  toJSON(): object {
    const { code, data, caller, message, stack } = this
    return { code, data, caller, message, stack }
  }

  /** An error of isomorphic-git itself is an instance of the class with its code. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const error = value as Partial<GitError> | null | undefined
    // biome-ignore lint/complexity/noThisInStatic: the class that is asked may be a subclass
    const { code } = this
    return error?.isIsomorphicGitError === true && [error.code, GitError.code].includes(code)
  }
}

export class AmbiguousError extends GitError {
  static override readonly code = 'AmbiguousError'
  constructor(nouns: 'oids' | 'refs', short: string, matches: readonly string[]) {
    const what = `"${short}" is the beginning of several ${nouns}: ${matches.join(', ')}`
    super(what, { nouns, short, matches })
  }
}

export class InternalError extends GitError {
  static override readonly code = 'InternalError'
  constructor(message: string, cause?: unknown) {
    super(message, { message }, cause)
  }
}

export class InvalidFilepathError extends GitError {
  static override readonly code = 'InvalidFilepathError'
  constructor(reason: 'leading-slash' | 'trailing-slash') {
    const where = reason === 'leading-slash' ? 'begin' : 'end'
    super(`"filepath" must not ${where} with a slash`, { reason })
  }
}

export class MaxDepthError extends GitError {
  static override readonly code = 'MaxDepthError'
  constructor(depth: number) {
    super(`not found in ${depth} commits: raise "depth"`, { depth })
  }
}

export class MissingParameterError extends GitError {
  static override readonly code = 'MissingParameterError'
  constructor(parameter: string) {
    super(`the parameter "${parameter}" is required`, { parameter })
  }
}

export class NotFoundError extends GitError {
  static override readonly code = 'NotFoundError'
  constructor(what: string, cause?: unknown) {
    super(`Could not find ${what}.`, { what }, cause)
  }
}

export class ObjectTypeError extends GitError {
  static override readonly code = 'ObjectTypeError'
  constructor(oid: string, actual: string, expected: string, filepath?: string) {
    const place = filepath === undefined ? '' : ` (reading ${filepath})`
    super(`object ${oid} is a ${actual}, not a ${expected}${place}`, {
      oid,
      actual,
      expected,
      filepath,
    })
  }
}

const thrown = {
  AmbiguousError,
  InternalError,
  InvalidFilepathError,
  MaxDepthError,
  MissingParameterError,
  NotFoundError,
  ObjectTypeError,
}

/** Errors that only isomorphic-git itself throws, when it writes or fetches. */
const others = [
  'AlreadyExistsError',
  'CheckoutConflictError',
  'CherryPickLocalChangesError',
  'CherryPickMergeCommitError',
  'CherryPickRootCommitError',
  'CommitNotFetchedError',
  'DecompressionError',
  'EmptyCommitError',
  'EmptyServerResponseError',
  'FastForwardError',
  'GitPushError',
  'HttpError',
  'IndexResetError',
  'InvalidOidError',
  'InvalidRefNameError',
  'MergeConflictError',
  'MergeNotSupportedError',
  'MissingNameError',
  'MultipleGitError',
  'NoCommitError',
  'NoRefspecError',
  'ParseError',
  'PushRejectedError',
  'RemoteCapabilityError',
  'SmartHttpError',
  'UnknownTransportError',
  'UnmergedPathsError',
  'UnsafeFilepathError',
  'UrlParseError',
  'UserCanceledError',
] as const

type Other = (typeof others)[number]

function otherClass(code: Other): typeof GitError {
  return class extends GitError {
    static override readonly code = code
  }
}

const otherClasses = Object.fromEntries(others.map((code) => [code, otherClass(code)]))

/**
 * The classes of errors, by the names of isomorphic-git's. `instanceof` them is true for its own
 * errors, too.
 */
export const Errors = Object.freeze({ ...thrown, ...otherClasses }) as Readonly<
  typeof thrown & Record<Other, typeof GitError>
>

let peers: Readonly<Record<string, unknown>> = {}

/**
 * Makes later errors of this module instances of isomorphic-git's classes, too, for code that
 * tests `instanceof` these.
 *
 * ```ts
 * import * as writing from 'isomorphic-git'
 *
 * useErrors(writing.Errors)
 * ```
 */
export function useErrors(classes: object): void {
  peers = classes as Readonly<Record<string, unknown>>
}

/** Makes an error an instance of isomorphic-git's class of its name, if these are known. */
export function asPeer(error: GitError): GitError {
  const peer = Object.hasOwn(peers, error.code) ? peers[error.code] : undefined
  if (typeof peer === 'function') Object.setPrototypeOf(error, peer.prototype)
  return error
}
