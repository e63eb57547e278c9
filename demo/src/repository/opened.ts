/** An open repository, with the facts that every page needs. */
import type { OpenOptions, OpenProgress, PackSource, RepoSource, Repository } from 'packlens'
import { isPacklensError, open } from 'packlens'
import { Meter } from '../meter'
import { CommitWalk } from '../reading/history'
import type { Head, NamedRef } from './refs'
import { listRefs, readHead } from './refs'
import type { Tips } from './tips'
import { findTips } from './tips'

/** A source that can be opened, and how the page describes it. */
export interface Candidate {
  /** A function makes the source, if that takes long. */
  readonly source: RepoSource | MakeSource
  readonly name: string
  /** Returns the origin of the source in a few words, in the language of the page. */
  readonly about: () => string
  /** Set if both hashes are tried, because a pack without an index does not name its hash. */
  readonly unknownFormat?: boolean
  /** Set for packs alone, which have no refs. */
  readonly withoutRefs?: boolean
  /** The size of the source in bytes, if known. */
  readonly size?: number
  /** The address of the source, if a server has it. */
  readonly address?: string
}

export type MakeSource = (options: OpeningOptions) => Promise<RepoSource>

export interface Opened {
  readonly repo: Repository
  readonly name: string
  readonly about: () => string
  readonly size: number | undefined
  readonly refs: readonly NamedRef[]
  /** Finds all refs; `null` if `refs` is complete. */
  readonly findMore: ((options: OpeningOptions) => Promise<Opened>) | null
  readonly head: Head
  readonly withoutRefs: boolean
  readonly meter: Meter
  readonly walks: Map<string, CommitWalk>
}

/** The progress of opening; `total` is 0 if it is not known. */
export interface OpeningProgress {
  readonly phase: OpenProgress['phase'] | 'tips' | 'unpack' | 'names' | 'refs' | 'server'
  readonly done: number
  readonly total: number
  /** The requests to a server, and the bytes that it sent. */
  readonly requests?: number
  readonly received?: number
}

export interface OpeningOptions {
  readonly onProgress?: (progress: OpeningProgress) => void
  readonly signal?: AbortSignal
}

/** More than the default, because the page shows whole files. */
export const MEMORY = 256 << 20

export async function openCandidate(
  candidate: Candidate,
  options: OpeningOptions = {},
): Promise<Opened> {
  const start = performance.now()
  const isServed = candidate.address !== undefined
  // Its worker counts what arrives, and says so with the first answer.
  if (isServed) options.onProgress?.({ phase: 'server', done: 0, total: 0 })
  const source =
    typeof candidate.source === 'function' ? await candidate.source(options) : candidate.source
  // In a worker, because indexing a large pack would block the page for seconds.
  const repo = await openEitherFormat(source, candidate, {
    ...options,
    memory: MEMORY,
    worker: true,
  })
  try {
    const { name, about, size, withoutRefs = false } = candidate
    const found = withoutRefs ? await findTips(repo, packsOf(source), options) : null
    const refs = found?.tips.refs ?? (await listRefs(repo, options))
    const head = found ? headOf(found.tips) : await readHead(repo, refs)
    options.signal?.throwIfAborted()
    const meter = new Meter(repo)
    meter.opened(performance.now() - start)
    const walks = new Map<string, CommitWalk>()
    const facts = { repo, name, about, size, refs, head, withoutRefs, meter, walks }
    const some = { ...facts, findMore: null }
    const rest = found?.rest
    if (!rest) return some
    const findMore = async (options: OpeningOptions): Promise<Opened> => {
      const tips = await rest(options)
      return { ...some, refs: tips.refs, head: headOf(tips) }
    }
    return { ...some, findMore }
  } catch (error) {
    repo.close()
    throw error
  }
}

/** Returns the walk from a commit, which keeps the commits that were read. */
export function walkFrom({ repo, walks }: Opened, oid: string): CommitWalk {
  const walk = walks.get(oid) ?? new CommitWalk(repo, oid)
  walks.set(oid, walk)
  return walk
}

function headOf({ newest }: Tips): Head {
  return { target: null, oid: newest }
}

function packsOf(source: RepoSource): readonly PackSource[] {
  return typeof source === 'object' && 'packs' in source ? (source.packs ?? []) : []
}

async function openEitherFormat(
  source: RepoSource,
  { unknownFormat }: Candidate,
  options: OpenOptions,
): Promise<Repository> {
  const isPacks = typeof source === 'object' && 'packs' in source
  if (!unknownFormat || !isPacks) return open(source, options)
  try {
    return await open(source, options)
  } catch (error) {
    if (!isPacklensError(error, 'CORRUPT')) throw error
    // If both hashes fail, the first error is reported.
    return open({ ...source, objectFormat: 'sha256' }, options).catch(() => {
      throw error
    })
  }
}
