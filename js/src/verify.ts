/** Checking a whole repository, as `git fsck` does. */

import type { FsckRequest, Pages } from './engine.js'
import type { Finding as Found, SeverityOptions } from './findings.js'
import { decodeFindings, rulesOf } from './findings.js'
import { isPromise } from './maybe.js'
import type { AbortSignal } from './platform-types.js'
import type { AskOptions } from './session.js'
import { ofCaller } from './source/failed.js'
import { turn } from './turn.js'

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
 * What `Repository.verify` takes. Severities go before those of the repository's config,
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

/** What is asked for: bits, as `fsck` of the core has them. */
export const FSCK_BITS = {
  strict: 1,
  connectivityOnly: 2,
  notFull: 4,
  unreachable: 8,
  noDangling: 16,
  tags: 32,
  root: 64,
  noReflogs: 128,
  nameObjects: 256,
  cache: 512,
  noReferences: 1024,
} as const

/** About how many bytes of findings come at once. */
export const FSCK_PAGE = 64 << 10

/** How long steps follow each other before others get a turn, in milliseconds. */
const TURN = 30

const encoder = new TextEncoder()

const PHASES = ['packs', 'objects', 'connectivity'] as const

export function fsckRequest(options: FsckOptions): FsckRequest {
  const { strict, connectivityOnly, dangling = true, unreachable, reflogs = true } = options
  const { heads = [], cache } = options
  let bits = 0
  if (strict) bits |= FSCK_BITS.strict
  if (connectivityOnly) bits |= FSCK_BITS.connectivityOnly
  if (unreachable) bits |= FSCK_BITS.unreachable
  if (!dangling) bits |= FSCK_BITS.noDangling
  if (!reflogs) bits |= FSCK_BITS.noReflogs
  if (cache) bits |= FSCK_BITS.cache
  return { kind: 'fsck', bits, input: encoder.encode([rulesOf(options), ...heads].join('\0')) }
}

/** Reads an answer to its end. */
export async function findingsIn(pages: Pages, options: FsckOptions): Promise<Finding[]> {
  const findings: Finding[] = []
  const report = ofCaller('onProgress', options.onProgress)
  const taker = {
    progress: (phase: number, done: number, total: number) =>
      report({ phase: PHASES[phase] ?? 'objects', done, total }),
    finding: ({ exit: _, names: __, ...finding }: Found) => findings.push(finding),
  }
  let turned = performance.now()
  try {
    while (!pages.done) {
      const page = pages.next(FSCK_PAGE, options)
      decodeFindings(isPromise(page) ? await page : page, taker)
      if (performance.now() - turned < TURN) continue
      await turn()
      turned = performance.now()
    }
  } finally {
    pages.end()
  }
  return findings
}
