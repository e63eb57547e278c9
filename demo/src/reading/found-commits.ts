/** Reads the commits that a long answer names, while it goes on. */
import type { CommitObject, Repository } from 'packlens'
import { readCommits } from './history'

/** Milliseconds between two reports. */
const BETWEEN = 300

type Report<Row> = (
  rows: readonly Row[],
  commits: ReadonlyMap<string, CommitObject>,
  done: boolean,
) => void

/** Reports the rows so far and the commits that they name: every so often, and at the end. */
export async function withCommits<Row extends { readonly commit: string }>(
  repo: Repository,
  rows: AsyncIterable<Row>,
  report: Report<Row>,
): Promise<void> {
  const found: Row[] = []
  const commits = new Map<string, CommitObject>()
  const reportSoFar = async (done: boolean) => {
    const unread = new Set(found.map(({ commit }) => commit).filter((oid) => !commits.has(oid)))
    for (const read of await readCommits(repo, [...unread])) commits.set(read.oid, read)
    report([...found], commits, done)
  }
  let reported = performance.now()
  for await (const row of rows) {
    found.push(row)
    if (performance.now() - reported < BETWEEN) continue
    await reportSoFar(false)
    reported = performance.now()
  }
  await reportSoFar(true)
}
