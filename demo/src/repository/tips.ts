/** A pack alone has no refs: its newest commits and its tags are found by looking. */
import type { CommitObject, Repository } from 'packlens'
import { dateOf, readCommits, subjectOf } from '../reading/history'
import { shortId } from '../text/format'
import type { OpeningOptions } from './opened'
import type { NamedRef } from './refs'

/** More would make a list to pick from useless. */
const MOST_TIPS = 50
const MANY = 2000

export interface Tips {
  readonly refs: readonly NamedRef[]
  /** The newest commit that no other names as a parent. */
  readonly newest: string | null
}

/** Looks at every object of the packs: an index does not tell which of them are commits. */
export async function findTips(repo: Repository, options: OpeningOptions): Promise<Tips> {
  const { signal, onProgress } = options
  const commits: string[] = []
  const tags: string[] = []
  let done = 0
  for await (const row of repo.objects({ unordered: true, fields: 'info', signal })) {
    if (++done % MANY === 0) onProgress?.({ phase: 'tips', done, total: 0 })
    if (row.type === 'commit') commits.push(row.oid)
    if (row.type === 'tag') tags.push(row.oid)
  }
  const tips = await commitsWithoutChild(repo, commits)
  const refs = tips.slice(0, MOST_TIPS).map((commit) => refOfTip(commit))
  return { refs: [...refs, ...(await namedTags(repo, tags))], newest: tips[0]?.oid ?? null }
}

async function commitsWithoutChild(
  repo: Repository,
  oids: readonly string[],
): Promise<CommitObject[]> {
  const parents = new Set<string>()
  for (let at = 0; at < oids.length; at += MANY) {
    for (const commit of await readCommits(repo, oids.slice(at, at + MANY))) {
      for (const parent of commit.parents) parents.add(parent)
    }
  }
  const tips = oids.filter((oid) => !parents.has(oid))
  const commits = await readCommits(repo, tips)
  return commits.sort((a, b) => dateOf(b) - dateOf(a))
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
