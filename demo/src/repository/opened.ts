/** A repository that is open, with what the page needs to know of it at all times. */
import type { OpenOptions, OpenProgress, PackSource, RepoSource, Repository } from 'packlens'
import { isPacklensError, open } from 'packlens'
import { Meter } from '../meter'
import { CommitWalk } from '../reading/history'
import type { Head, NamedRef } from './refs'
import { listRefs, readHead } from './refs'
import type { Tips } from './tips'
import { findTips } from './tips'

/** What can be opened: a source for packlens, and words for it. */
export interface Candidate {
  readonly source: RepoSource
  readonly name: string
  /** Where it comes from, in a few words. */
  readonly about: string
  /** The hash is written nowhere in a pack without an index: both are tried. */
  readonly unknownFormat?: boolean
  /** There are packs and nothing else, so no names to begin with. */
  readonly withoutRefs?: boolean
  /** The size of what it is read from, where that is known. */
  readonly size?: number
}

export interface Opened {
  readonly repo: Repository
  readonly name: string
  readonly about: string
  readonly size: number | undefined
  readonly refs: readonly NamedRef[]
  /** Looks for all of them, where those are only the first that were found. */
  readonly findMore: ((options: OpeningOptions) => Promise<Opened>) | null
  readonly head: Head
  readonly withoutRefs: boolean
  readonly meter: Meter
  readonly walks: Map<string, CommitWalk>
}

/** How far opening has come. */
export interface OpeningProgress {
  readonly phase: OpenProgress['phase'] | 'tips'
  readonly done: number
  readonly total: number
}

export interface OpeningOptions {
  readonly onProgress?: (progress: OpeningProgress) => void
  readonly signal?: AbortSignal
}

/** Files are shown whole where they fit: the usual ceiling is for programs with less room. */
const MEMORY = 256 << 20

export async function openCandidate(
  candidate: Candidate,
  options: OpeningOptions = {},
): Promise<Opened> {
  const start = performance.now()
  // Making the index of a large pack would hold the page for seconds.
  const repo = await openEitherFormat(candidate, { ...options, memory: MEMORY, worker: true })
  try {
    const { name, about, size, withoutRefs = false } = candidate
    const found = withoutRefs ? await findTips(repo, packsOf(candidate), options) : null
    const refs = found?.tips.refs ?? (await listRefs(repo))
    const head = found ? headOf(found.tips) : await readHead(repo)
    options.signal?.throwIfAborted()
    const meter = new Meter(repo)
    meter.opened(performance.now() - start)
    const walks = new Map<string, CommitWalk>()
    const some = { repo, name, about, size, refs, head, withoutRefs, meter, walks, findMore: null }
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

/** The walk from a commit, as far as it has come. */
export function walkFrom({ repo, walks }: Opened, oid: string): CommitWalk {
  const walk = walks.get(oid) ?? new CommitWalk(repo, oid)
  walks.set(oid, walk)
  return walk
}

function headOf({ newest }: Tips): Head {
  return { target: null, oid: newest }
}

function packsOf({ source }: Candidate): readonly PackSource[] {
  return typeof source === 'object' && 'packs' in source ? (source.packs ?? []) : []
}

async function openEitherFormat(
  { source, unknownFormat }: Candidate,
  options: OpenOptions,
): Promise<Repository> {
  const isPacks = typeof source === 'object' && 'packs' in source
  if (!unknownFormat || !isPacks) return open(source, options)
  try {
    return await open(source, options)
  } catch (error) {
    if (!isPacklensError(error, 'CORRUPT')) throw error
    // If it is no better with the other hash, the first error is the one to tell.
    return open({ ...source, objectFormat: 'sha256' }, options).catch(() => {
      throw error
    })
  }
}
