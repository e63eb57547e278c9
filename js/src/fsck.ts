/** Checking a whole repository, as `git fsck` does. */

import type { Asker } from './asker.js'
import { ofAllRows } from './asker.js'
import type { Finding as Found, SeverityOptions } from './findings.js'
import { decodeFindings, rulesOf } from './findings.js'
import type { MaybePromise } from './maybe.js'
import { checkOptions } from './options/rules.js'
import { FSCK } from './options/tables.js'
import type { AbortSignal } from './platform-types.js'
import type { FsckQuestion } from './protocol.js'
import type { AskOptions } from './session.js'
import { ofCaller } from './source/failed.js'
import { encodeSpecs } from './specs.js'

/** How far a check has come. */
export interface FsckProgress {
  /** Files are hashed, objects are read, or what leads to what is followed. */
  readonly phase: 'packs' | 'objects' | 'connectivity'
  /** Bytes of packs, or objects. */
  readonly done: number
  /** The last phase may end before it is reached. */
  readonly total: number
}

/** Something that is wrong with a repository, or to be known of it. */
export type Finding = Omit<Found, 'exit' | 'names'>

/**
 * What {@link Repository.fsck} takes. Severities go before those of the repository's config,
 * lists of objects are joined.
 */
export interface FsckOptions extends AskOptions, SeverityOptions {
  /** Takes warnings for errors, and finds what old versions of git wrote. Default: no. */
  readonly strict?: boolean | undefined
  /** Looks only whether all is there that refs lead to. Default: no. */
  readonly connectivityOnly?: boolean | undefined
  /** Tells of objects that nothing leads to. Default: yes. */
  readonly dangling?: boolean | undefined
  /** Tells of all objects that no ref leads to, and not of dangling ones. Default: no. */
  readonly unreachable?: boolean | undefined
  /** Takes what reflogs name for reachable. Default: yes. */
  readonly reflogs?: boolean | undefined
  /**
   * Revisions: what they stand for is reachable, instead of what refs, reflogs and index
   * files name. One that stands for nothing is a finding, `invalidHead`.
   */
  readonly heads?: readonly string[] | undefined
  /** Takes what index files name for reachable also where `heads` are given. Default: no. */
  readonly cache?: boolean | undefined
  readonly onProgress?: ((progress: FsckProgress) => void) | undefined
  /** Ends it early, with an error of code `ABORTED`. */
  readonly signal?: AbortSignal | undefined
}

/** About how many bytes of findings come at once. */
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

/** Checks a repository. */
export function fsck(asker: Asker, options: FsckOptions): MaybePromise<Finding[]> {
  checkOptions('fsck', options, FSCK)
  const begin = () => asker.engine.pages(fsckRequest(options))
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
  return ofAllRows(asker, listing, (findings) => findings)
}
