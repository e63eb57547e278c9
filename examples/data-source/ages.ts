import type { CommitObject } from 'packlens'

/** Returns how old commits are among each other: 0 for the newest, 1 for the oldest. */
export function agesOf(commits: ReadonlyMap<string, CommitObject>): Map<string, number> {
  const dateOf = ({ committer }: CommitObject) => committer.seconds ?? 0
  const dates = Array.from(commits.values(), dateOf)
  const first = dates.reduce((one, other) => Math.min(one, other), Infinity)
  const last = dates.reduce((one, other) => Math.max(one, other), -Infinity)
  const age = (commit: CommitObject) =>
    last === first ? 0 : (last - dateOf(commit)) / (last - first)
  return new Map(Array.from(commits, ([oid, commit]) => [oid, age(commit)]))
}
