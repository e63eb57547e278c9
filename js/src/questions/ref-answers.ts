/** Asks questions about refs, and decodes the answers. */

import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { RefsQuestion } from '../base/protocol.js'
import { encodeSpecs } from '../base/specs.js'
import type { Ref } from '../base/types.js'
import { decodeRefs } from '../objects/records.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { LIST_REFS, POINTS_AT, READ } from '../options/tables.js'
import type { AskOptions } from '../session/session.js'
import type { RepositoryContext } from './repository-context.js'
import { questionOptions } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Refs.list}. */
export interface ListRefsOptions extends AskOptions {
  /** Lists only refs whose full name has this prefix. Default: all under `refs/`. */
  readonly prefix?: string | undefined
  /**
   * Patterns as of `git for-each-ref`: a full name, the leading directories of names, or a glob
   * with `*`. Lists refs that match one of them. Default: all.
   */
  readonly pattern?: string | Iterable<string> | undefined
  /** Peels tags, which may take a read each. Default: false. */
  readonly peel?: boolean | undefined
}

/** The options of {@link Refs.pointsAt}. */
export interface PointsAtOptions extends AskOptions {
  /**
   * Lists only refs that hold the id themselves: no symbolic refs, and no tags that peel to the
   * object. In reftables with an object index, already the first call reads few blocks.
   * Default: false.
   */
  readonly direct?: boolean | undefined
}

const PAGE = 64 << 10
const HEADS = 'refs/heads/'
const REMOTE_HEAD = 'refs/remotes/origin/HEAD'
const REMOTE_HEADS = 'refs/remotes/origin/'

export function refList(context: RepositoryContext, options: ListRefsOptions): Listing<Ref> {
  return listing(context, () => listRequest('refs.list', options), options)
}

export function pointsAt(
  context: RepositoryContext,
  spec: string,
  options: PointsAtOptions,
): Listing<Ref> {
  const request = (): RefsQuestion => {
    checkArgument('refs.pointsAt', 'the revision', spec, text)
    checkOptions('refs.pointsAt', options, POINTS_AT)
    return { kind: 'refs', pointsAt: spec, direct: options.direct }
  }
  return listing(context, request, options)
}

/** Returns the ref of a full name; `null` if there is none. */
export function get(
  context: RepositoryContext,
  name: string,
  options: AskOptions,
): MaybePromise<Ref | null> {
  checkName('refs.get', name, options)
  return reference(context, name, false, options)
}

/** Returns the ref that a name stands for by git's rules. */
export function resolveRef(
  context: RepositoryContext,
  short: string,
  options: AskOptions,
): MaybePromise<Ref | null> {
  checkName('refs.resolve', short, options)
  return reference(context, short, true, options)
}

export function defaultBranch(
  context: RepositoryContext,
  options: AskOptions,
): MaybePromise<string | null> {
  checkOptions('refs.defaultBranch', options, READ)
  return whenReady(reference(context, REMOTE_HEAD, false, options), (remote) => {
    const named = remote?.target && below(REMOTE_HEADS, remote.target)
    if (named) return named
    return whenReady(reference(context, 'HEAD', false, options), (head) => {
      return head?.target ? below(HEADS, head.target) : null
    })
  })
}

/** Returns the listing of the refs that answer a request. */
export function listing(
  { engine }: RepositoryContext,
  request: () => RefsQuestion,
  options: AskOptions,
): Listing<Ref> {
  return { begin: () => engine.pages(request()), rowsIn: decodeRefs, capacity: PAGE, options }
}

function reference(
  context: RepositoryContext,
  name: string,
  short: boolean,
  options: AskOptions,
): MaybePromise<Ref | null> {
  const records = context.engine.reference(name, short, questionOptions(context, options))
  return whenReady(records, (records) => decodeRefs(new Uint8Array(records))[0] ?? null)
}

function below(prefix: string, name: string): string | null {
  return name.startsWith(prefix) ? name.slice(prefix.length) : null
}

/** @throws `BAD_INPUT` for a name or options that a call does not take */
export function checkName(call: string, name: string, options: AskOptions): void {
  checkArgument(call, 'the name', name, text)
  checkOptions(call, options, READ)
}

/** Returns the request of a call that selects refs by name. */
export function listRequest(call: string, options: ListRefsOptions): RefsQuestion {
  checkOptions(call, options, LIST_REFS)
  const { prefix, pattern = [], peel } = options
  const patterns = encodeSpecs(typeof pattern === 'string' ? [pattern] : pattern)
  return { kind: 'refs', prefix, patterns, peel }
}
