/** Lists the commits of a history. */
import type { CommitObject as Commit, Repository, RevListOptions } from '../index.js'
import { unlessAbsent } from './absent.js'
import { answered } from './calls.js'
import { expectPath, peeled } from './objects.js'
import type { RepositoryParameters } from './parameters.js'
import { resolve } from './resolve.js'
import type { ReadCommitResult } from './shapes.js'
import { commitResult } from './shapes.js'
import { comparePaths } from './text.js'

/** The parameters of {@link log}. */
export interface LogParameters extends RepositoryParameters {
  /** Where the history begins; `HEAD` by default. */
  readonly ref?: string | undefined
  /** The most commits to return. */
  readonly depth?: number | undefined
  /** Returns only commits that are newer than this. */
  readonly since?: Date | undefined
  /** An expression that the author, as `Name <email>`, must match; upper case is lower case. */
  readonly author?: string | undefined
  /** Returns only commits that change this file or directory, as `git log -- filepath` does. */
  readonly filepath?: string | undefined
  /** Returns an empty history instead of an error if the file does not exist at `ref`. */
  readonly force?: boolean | undefined
  /** Follows the file through renames. */
  readonly follow?: boolean | undefined
  /** Lists in `commit.changes` the files that differ from the first parent. */
  readonly includeChanges?: boolean | undefined
}

/** Lists commits, the newest first, with git's answers. */
export function log(parameters: LogParameters): Promise<ReadCommitResult[]> {
  return answered('log', parameters, [], async (repo) => {
    const { ref = 'HEAD', filepath, force, follow, includeChanges } = parameters
    const tip = await peeled(repo, await repo.read(await resolve(repo, ref)), 'commit')
    if (filepath !== undefined && !force && !follow) {
      await expectPath(repo, tip.oid, filepath)
    }
    const results: ReadCommitResult[] = []
    for await (const commit of commits(repo, tip.oid, parameters)) {
      const result = commitResult(commit)
      if (includeChanges) result.commit.changes = await changesOf(repo, commit)
      results.push(result)
    }
    return results
  })
}

async function* commits(
  repo: Repository,
  tip: string,
  parameters: LogParameters,
): AsyncGenerator<Commit, undefined> {
  const { depth, since, author, filepath, follow } = parameters
  const limit = depth !== undefined && Number.isFinite(depth) ? depth : undefined
  const authors = author === undefined || author === null ? undefined : new RegExp(author, 'i')
  const options: RevListOptions = {
    ...(limit !== undefined && !authors && { limit }),
    // git includes commits of the second itself.
    ...(since && { since: Math.floor(since.valueOf() / 1000) + 1 }),
    ...(filepath && { path: filepath }),
    ...(filepath && follow && { follow }),
  }
  let found = 0
  if (limit === 0) return
  for await (const commit of repo.log(tip, options)) {
    if (authors && !authors.test(`${commit.author.name} <${commit.author.email}>`)) continue
    yield commit
    if (++found === limit) return
  }
}

async function changesOf(
  repo: Repository,
  { oid, parents }: Commit,
): Promise<[string | null, string | null, string][]> {
  const changes: [string | null, string | null, string][] = []
  // A shallow repository has its oldest commits without their parents.
  const parent = parents.length === 0 ? null : await unlessAbsent(repo.resolve(`${oid}^`))
  for await (const { newOid, oldOid, path } of repo.diff(parent, oid)) {
    if (newOid !== oldOid) changes.push([newOid, oldOid, path])
  }
  return changes.sort(([, , a], [, , b]) => comparePaths(a, b))
}
