/** Reads which commits a repository wants blame to look through, such as those that only format. */
import type { Repository } from 'packlens'
import { entryAt } from '../../../examples/data-source/entry'
import { readBlob } from './content'
import { readCommits } from './history'

/** The name that hosts of repositories know, and `git config blame.ignoreRevsFile` usually has. */
const NAME = new TextEncoder().encode('.git-blame-ignore-revs')

/** A file with more is no list of exceptions. */
const MOST = 1000

/** Returns the commits that the file `.git-blame-ignore-revs` of a commit lists, of those that are there. */
export async function ignoredRevisions(repo: Repository, commit: string): Promise<string[]> {
  const entry = await entryAt(repo, commit, [NAME])
  if (!entry?.isBlob || entry.isSymlink) return []
  const { content } = await readBlob(repo, entry.oid)
  if (content.type !== 'text') return []
  const ids = content.text
    .split('\n')
    .flatMap((line) => /^\s*([0-9a-f]{40}(?:[0-9a-f]{24})?)\s*(?:#|$)/i.exec(line)?.[1] ?? [])
  const commits = await readCommits(
    repo,
    ids.slice(0, MOST).map((id) => id.toLowerCase()),
  )
  return commits.map(({ oid }) => oid)
}
