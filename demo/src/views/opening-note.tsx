import type { OpeningProgress } from '../repository/opened'
import { formatSize } from '../text/format'
import type { Opening, Search } from '../use-opening'
import { first } from '../words/first'
import { Line } from './text'

/** Shows the progress of opening, and what it is doing. */
export function OpeningNote({ opening: { name, progress, cancel } }: { opening: Opening }) {
  const labels: Readonly<Partial<Record<OpeningProgress['phase'], string>>> = first.progress
  return (
    <div class="page">
      <section class="card opening" role="status">
        <p>{first.opening(<Line text={name} />, progress ? stepOf(progress) : null)}</p>
        {progress && progress.total > 0 ? (
          <progress
            max={progress.total}
            value={progress.done}
            aria-label={labels[progress.phase]}
          />
        ) : (
          <progress aria-label={first.actions.opening} />
        )}
        <button type="button" onClick={cancel}>
          {first.cancel}
        </button>
      </section>
    </div>
  )
}

/** Shows the progress of the search that continues while the first page is shown. */
export function SearchNote({ search: { progress, stop } }: { search: Search }) {
  return (
    <div class="page">
      <section class="card opening" role="status">
        <p>{first.still(stepOf(progress))}</p>
        <progress max={progress.total} value={progress.done} aria-label={first.progress.tips} />
        <button type="button" onClick={stop}>
          {first.stop}
        </button>
      </section>
    </div>
  )
}

function stepOf({ phase, done, total, requests = 0, received = 0 }: OpeningProgress): string {
  const { steps } = first
  if (phase === 'server') return steps.server
  if (phase === 'names') return steps.names(done)
  if (phase === 'refs') {
    const step = steps.refs(done)
    return requests > 0 ? `${step}; ${first.received(requests, formatSize(received))}` : step
  }
  if (phase === 'unpack') return steps.unpack(formatSize(done), formatSize(total))
  if (phase === 'index') return steps.index(done, total)
  return total === 0 ? steps.tipsSoFar(done) : steps.tips(done, total)
}
