import type { CommitObject } from 'packlens'
import { useEffect, useState } from 'preact/hooks'
import { adviceFor } from '../reading/advice'
import { subjectOf } from '../reading/history'
import type { Opened } from '../repository/opened'
import { walkFrom } from '../repository/opened'
import { isHead } from '../repository/refs'
import { formatRoute } from '../route'
import { count, shortId } from '../text/format'
import { When } from './person'
import { Line } from './text'

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
      .run('Commits', () => walk.more())
      .catch((error: unknown) => {
        const { title, detail } = adviceFor(error)
        if (isWanted()) setFailure(`${title}. ${detail}`)
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
        Newest commits
      </h2>
      <ol>
        {walk.commits.map((commit) => (
          <CommitItem key={commit.oid} opened={opened} commit={commit} />
        ))}
      </ol>
      {failure ? (
        <p class="note error" role="alert">
          {failure}
        </p>
      ) : null}
      <p class="card-foot">
        {walk.done ? (
          <End shown={walk.commits.length} missing={walk.missing} />
        ) : (
          <button type="button" disabled={loading} onClick={() => more(() => true)}>
            {loading ? 'Loading…' : 'Load more'}
          </button>
        )}
      </p>
    </section>
  )
}

function CommitItem({ opened, commit }: { opened: Opened; commit: CommitObject }) {
  const labels = opened.withoutRefs
    ? []
    : opened.refs.filter((ref) => ref.peeled === commit.oid && ref.kind !== 'other')
  return (
    <li>
      <a href={formatRoute({ type: 'commit', oid: commit.oid })}>
        <Line text={subjectOf(commit.message) || '(no message)'} />
      </a>{' '}
      {labels.map((ref) => (
        <span key={ref.rev} class={`label label-${ref.kind}`}>
          <Line text={ref.label} />
          {isHead(ref, opened.head) ? ' (HEAD)' : ''}
        </span>
      ))}
      <div class="faint small">
        <Line text={commit.author.name || 'nobody'} /> · <When signature={commit.author} /> ·{' '}
        <code>{shortId(commit.oid)}</code>
      </div>
    </li>
  )
}

function End({ shown, missing }: { shown: number; missing: number }) {
  if (missing === 0) return <span class="faint">{count(shown, 'commit')}: these are all.</span>
  return (
    <span class="faint">
      {count(shown, 'commit')}. What came before is not in this repository: it may be a shallow
      clone.
    </span>
  )
}
