/** Finds the newest commits and the tags of packs, which have no refs. */
import type { CommitObject, PackSource, Repository } from 'packlens'
import { dateOf, readCommits, subjectOf } from '../reading/history'
import { shortId } from '../text/format'
import type { OpeningOptions } from './opened'
import { PackOrder } from './pack-order'
import type { NamedRef } from './refs'

/** The most tips: a longer list would be of no use. */
const MOST_TIPS = 50
/** The number of objects between two checks of the signal, and of those read first. */
const MANY = 2000
const FIRST = 256

export interface Tips {
  readonly refs: readonly NamedRef[]
  /** The newest commit without a child. */
  readonly newest: string | null
}

export interface FoundTips {
  readonly tips: Tips
  /** Searches the remaining objects; `null` if all were searched. */
  readonly rest: ((options: OpeningOptions) => Promise<Tips>) | null
}

/**
 * Finds the newest commits. git stores commits before trees and blobs, the newest first, so the
 * beginning of such packs is enough to show a page. Finding all tips takes a look at every object,
 * because servers append later objects at the end.
 */
export async function findTips(
  repo: Repository,
  packs: readonly PackSource[],
  options: OpeningOptions,
): Promise<FoundTips> {
  const orders = await Promise.all(packs.map(orderOf))
  const known = orders.filter((order) => order !== null)
  const total = known.length < orders.length ? 0 : known.reduce((sum, { count }) => sum + count, 0)
  const rest = (options: OpeningOptions) => searchAll(repo, total, options)
  const first = new TipSearch(repo)
  let isNewestFirst = known.length === orders.length
  for (const order of known) {
    options.signal?.throwIfAborted()
    isNewestFirst &&= await first.begins(order.ids(0, FIRST))
  }
  if (isNewestFirst) return { tips: await first.tips(), rest }
  const tips = await rest(options)
  if (!tips.newest) await reportDamage(repo, packs)
  return { tips, rest: null }
}

/** Throws the damage of an index: listings skip such packs, so they may find no commit. */
async function reportDamage(repo: Repository, packs: readonly PackSource[]): Promise<void> {
  const indexed = [...packs.keys()].filter((at) => packs[at]?.idx)
  const usable = await repo.storage()
  if (usable.packs.length === indexed.length) return
  for (const at of indexed) await repo.checkPack(`pack-${at}`)
}

/** Returns the stored order of a pack; `null` without an index of version 2. */
async function orderOf({ idx }: PackSource): Promise<PackOrder | null> {
  return idx instanceof Blob ? PackOrder.read(idx) : null
}

/** Reads the type of every object, because no index says which objects are commits. */
async function searchAll(
  repo: Repository,
  total: number,
  { signal, onProgress }: OpeningOptions,
): Promise<Tips> {
  const search = new TipSearch(repo)
  const found: string[] = []
  let done = 0
  for await (const row of repo.objects({ unordered: true, fields: 'info', signal })) {
    if (++done % MANY === 0) onProgress?.({ phase: 'tips', done, total })
    if (row.type === 'commit') found.push(row.oid)
    if (row.type === 'tag') search.tags.push(row.oid)
  }
  for (let at = 0; at < found.length; at += MANY) {
    signal?.throwIfAborted()
    await search.add(found.slice(at, at + MANY))
  }
  return search.tips()
}

/** Collects commits, and which of them have no child. */
class TipSearch {
  readonly #repo: Repository
  readonly #dates = new Map<string, number>()
  readonly #parents = new Set<string>()
  readonly tags: string[] = []

  constructor(repo: Repository) {
    this.#repo = repo
  }

  /**
   * Reads the commits at the beginning of a pack. Returns whether the pack begins with a commit
   * that is no older than the last of them.
   */
  async begins(oids: readonly string[]): Promise<boolean> {
    const batch = await this.#repo.readMany(oids, { fields: 'size', size: 1 << 20 })
    const rows = [...batch].flatMap((row) => ('oid' in row ? [row] : []))
    const commits = await this.add(
      rows.filter(({ type }) => type === 'commit').map(({ oid }) => oid),
    )
    for (const { type, oid } of rows) if (type === 'tag') this.tags.push(oid)
    const [first, last] = [commits[0], commits.at(-1)]
    if (!first || !last || first.oid !== oids[0]) return false
    return dateOf(first) >= dateOf(last)
  }

  async add(oids: readonly string[]): Promise<CommitObject[]> {
    const commits = await readCommits(this.#repo, oids)
    for (const commit of commits) {
      this.#dates.set(commit.oid, dateOf(commit))
      for (const parent of commit.parents) this.#parents.add(parent)
    }
    return commits
  }

  async tips(): Promise<Tips> {
    const tips = [...this.#dates].filter(([oid]) => !this.#parents.has(oid))
    const newest = tips.sort(([, one], [, other]) => other - one).map(([oid]) => oid)
    const commits = await readCommits(this.#repo, newest.slice(0, MOST_TIPS))
    const refs = [...commits.map(refOfTip), ...(await namedTags(this.#repo, this.tags))]
    return { refs, newest: newest[0] ?? null }
  }
}

function refOfTip({ oid, message }: CommitObject): NamedRef {
  const label = `${shortId(oid)} ${subjectOf(message).slice(0, 60)}`
  return { rev: `id:${oid}`, label, kind: 'other', oid, peeled: oid }
}

async function namedTags(repo: Repository, oids: readonly string[]): Promise<NamedRef[]> {
  const refs: NamedRef[] = []
  for (const oid of oids) {
    const tag = await repo.read(oid)
    if (tag.type !== 'tag') continue
    const peeled = await repo.resolve(`${oid}^{}`).catch(() => null)
    refs.push({ rev: `id:${oid}`, label: tag.name, kind: 'tag', oid, peeled })
  }
  return refs
}
