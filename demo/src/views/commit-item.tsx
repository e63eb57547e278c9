import type { CommitObject } from 'packlens'
import { subjectOf } from '../reading/history'
import type { Opened } from '../repository/opened'
import { isHead } from '../repository/refs'
import { formatRoute } from '../route'
import { shortId } from '../text/format'
import { first } from '../words/first'
import { Ago } from './person'
import { Line } from './text'

/** Shows a commit in a list: its subject, the refs that point at it, its author and its time. */
export function CommitItem({ opened, commit }: { opened: Opened; commit: CommitObject }) {
  const labels = opened.withoutRefs
    ? []
    : opened.refs.filter((ref) => ref.peeled === commit.oid && ref.kind !== 'other')
  return (
    <>
      <a href={formatRoute({ type: 'commit', oid: commit.oid })}>
        <Line text={subjectOf(commit.message) || first.noMessage} />
      </a>{' '}
      {labels.map((ref) => (
        <span key={ref.rev} class={`label label-${ref.kind}`}>
          <Line text={ref.label} />
          {isHead(ref, opened.head) ? first.isHead : ''}
        </span>
      ))}
      <div class="faint small">
        <Line text={commit.author.name || first.nobody} /> · <Ago signature={commit.author} /> ·{' '}
        <code>{shortId(commit.oid)}</code>
      </div>
    </>
  )
}
