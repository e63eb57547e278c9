/** Checks a whole repository, as `git fsck` does. */

import type { MaybePromise } from '../base/maybe.js'
import type { AbortSignal } from '../base/platform-types.js'
import type { FsckQuestion } from '../base/protocol.js'
import { encodeSpecs } from '../base/specs.js'
import type { Finding as Found, SeverityOptions } from '../objects/findings.js'
import { decodeFindings, rulesOf } from '../objects/findings.js'
import { FSCK } from '../options/full-tables.js'
import { checkOptions } from '../options/rules.js'
import type { AskOptions } from '../session/session.js'
import { ofCaller } from '../source/failed.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

/** The progress of a check. */
export interface FsckProgress {
  /** `packs` hashes files, `objects` reads objects, `connectivity` follows their links. */
  readonly phase: 'packs' | 'objects' | 'connectivity'
  /** The bytes of packs, or the objects, that are done. */
  readonly done: number
  /** The last phase may end before `done` reaches this number. */
  readonly total: number
}

/** A problem of a repository, or a fact to know about it. */
export type Finding = Omit<Found, 'exit' | 'names'>

/**
 * The options of {@link Repository.fsck}. Severities override the repository's config;
 * skip lists are added to those of the config.
 */
export interface FsckOptions extends AskOptions, SeverityOptions {
  /**
   * Reports warnings as errors, and the mode 100664, which old versions of git wrote.
   * Default: false.
   */
  readonly strict?: boolean | undefined
  /** Checks only that all reachable objects exist. Default: false. */
  readonly connectivityOnly?: boolean | undefined
  /** Reports dangling objects, which nothing refers to. Default: true. */
  readonly dangling?: boolean | undefined
  /** Reports all unreachable objects instead of the dangling ones. Default: false. */
  readonly unreachable?: boolean | undefined
  /** Treats the objects in reflogs as reachable. Default: true. */
  readonly reflogs?: boolean | undefined
  /**
   * Revisions to start from, instead of refs, reflogs and index files. A revision that
   * does not resolve is reported as the finding `invalidHead`.
   */
  readonly heads?: readonly string[] | undefined
  /** Treats the objects in index files as reachable also with `heads`. Default: false. */
  readonly cache?: boolean | undefined
  readonly onProgress?: ((progress: FsckProgress) => void) | undefined
  /** Aborts the check with an error of code `ABORTED`. */
  readonly signal?: AbortSignal | undefined
}

/** The approximate bytes of findings in one page. */
export const FSCK_PAGE = 64 << 10

export function fsckRequest(options: FsckOptions): FsckQuestion {
  const { strict, connectivityOnly, dangling = true, unreachable, reflogs = true } = options
  const { heads = [], cache } = options
  return {
    kind: 'fsck',
    rules: rulesOf(options),
    heads: encodeSpecs(heads),
    strict,
    connectivityOnly,
    full: true,
    unreachable,
    dangling,
    reflogs,
    cache,
    references: true,
  }
}

/** Checks a repository and returns the findings. */
export function fsck(
  context: RepositoryContext,
  options: FsckOptions = {},
): MaybePromise<Finding[]> {
  checkOptions('fsck', options, FSCK)
  const { engine, pool } = context
  const request = fsckRequest(options)
  const begin = () => pool.check?.(engine, request) ?? engine.pages(request)
  const report = ofCaller('onProgress', options.onProgress)
  const rowsIn = (page: Uint8Array<ArrayBuffer>) => {
    const findings: Finding[] = []
    decodeFindings(page, {
      progress: (phase, done, total) => report({ phase, done, total }),
      finding: ({ exit: _, names: __, ...finding }) => findings.push(finding),
    })
    return findings
  }
  const listing = { begin, rowsIn, capacity: FSCK_PAGE, options: { signal: options.signal } }
  return ofAllRows(context, listing, (findings) => findings)
}
