/** A pack alone has no refs: its newest commits and its tags are found by looking. */
import type { CommitObject, PackSource, Repository } from 'packlens'
import { dateOf, readCommits, subjectOf } from '../reading/history'
import { shortId } from '../text/format'
import type { OpeningOptions } from './opened'
import { PackOrder } from './pack-order'
import type { NamedRef } from './refs'

/** More would make a list to pick from useless. */
const MOST_TIPS = 50
/** How many objects are looked at between two looks at the signal, and how many first. */
const MANY = 2000
const FIRST = 256

export interface Tips {
  readonly refs: readonly NamedRef[]
  /** The newest commit that no other names as a parent. */
  readonly newest: string | null
}

export interface FoundTips {
  readonly tips: Tips
  /** Looks through the rest, if some were found before all was looked at. */
  readonly rest: ((options: OpeningOptions) => Promise<Tips>) | null
}

/**
 * Finds the newest commits. git stores commits before trees and blobs, the newest first:
 * what such packs begin with is enough to show a page. All of them are known only once
 * each object was looked at, since servers put what came later at the end.
 */
export async function findTips(
  repo: Repository,
  packs: readonly PackSource[],
  options: OpeningOptions,
): Promise<FoundTips> {
  const orders = await Promise.all(packs.map(orderOf))
  const known = orders.filter((order) => order !== null)
  const total = known.length < orders.length ? 0 : known.reduce((sum, { count }) => sum + count, 0)
  const rest = (options: OpeningOptions) => lookAtAll(repo, total, options)
  const first = new TipSearch(repo)
  let isNewestFirst = known.length === orders.length
  for (const order of known) {
    options.signal?.throwIfAborted()
    isNewestFirst &&= await first.begins(order.ids(0, FIRST))
  }
  if (isNewestFirst) return { tips: await first.tips(), rest }
  const tips = await rest(options)
  if (!tips.newest) await tellDamage(repo, packs)
  return { tips, rest: null }
}

/** A listing passes over packs whose index is damaged: where nothing is left, that is why. */
async function tellDamage(repo: Repository, packs: readonly PackSource[]): Promise<void> {
  const indexed = [...packs.keys()].filter((at) => packs[at]?.idx)
  const usable = await repo.storage()
  if (usable.packs.length === indexed.length) return
  for (const at of indexed) await repo.checkPack(`pack-${at}`)
}

/** Indexes of version 2 tell in which order objects are stored. */
async function orderOf({ idx }: PackSource): Promise<PackOrder | null> {
  return idx instanceof Blob ? PackOrder.read(idx) : null
}

/** Looks at every object of the packs: nothing tells which of them are commits. */
async function lookAtAll(
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

/** The commits that were looked at, and which of them no other names as a parent. */
class TipSearch {
  readonly #repo: Repository
  readonly #dates = new Map<string, number>()
  readonly #parents = new Set<string>()
  readonly tags: string[] = []

  constructor(repo: Repository) {
    this.#repo = repo
  }

  /**
   * Reads the commits that a pack begins with. Tells whether it begins with one, and
   * that is no older than those behind it.
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
