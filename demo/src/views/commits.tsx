import { useEffect, useState } from 'preact/hooks'
import { failureOf } from '../reading/advice'
import type { Opened } from '../repository/opened'
import { walkFrom } from '../repository/opened'
import { first } from '../words/first'
import { CommitItem } from './commit-item'
import { FailureNote } from './notices'

interface Props {
  readonly opened: Opened
  /** The commit to start from. */
  readonly start: string
}

/** Lists the newest commits, and older ones on request. */
export function Commits({ opened, start }: Props) {
  const walk = walkFrom(opened, start)
  const [failure, setFailure] = useState('')
  const [loading, setLoading] = useState(false)
  const [, setShown] = useState(0)
  const more = (isWanted: () => boolean) => {
    setLoading(true)
    setFailure('')
    opened.meter
      .run(
        () => first.actions.commits,
        () => walk.more(),
      )
      .catch((error: unknown) => {
        if (isWanted()) setFailure(failureOf(error))
      })
      .finally(() => {
        if (!isWanted()) return
        setLoading(false)
        setShown(walk.commits.length)
      })
  }
  useEffect(() => {
    let isCurrent = true
    if (walk.commits.length === 0 && !walk.done) more(() => isCurrent)
    return () => {
      isCurrent = false
    }
  }, [walk])
  return (
    <section class="card commits" aria-labelledby="commits">
      <h2 id="commits" class="card-head">
        {first.newest}
      </h2>
      <ol>
        {walk.commits.map((commit) => (
          <li key={commit.oid}>
            <CommitItem opened={opened} commit={commit} />
          </li>
        ))}
      </ol>
      <FailureNote text={failure} />
      <p class="card-foot">
        {walk.done ? (
          <End shown={walk.commits.length} missing={walk.missing} />
        ) : (
          <button type="button" disabled={loading} onClick={() => more(() => true)}>
            {loading ? first.loading : first.more}
          </button>
        )}
      </p>
    </section>
  )
}

function End({ shown, missing }: { shown: number; missing: number }) {
  return <span class="faint">{missing === 0 ? first.allCommits(shown) : first.shallow(shown)}</span>
}
