import type { OpeningProgress } from '../repository/opened'
import { count, formatNumber, formatSize } from '../text/format'
import type { Opening, Search } from '../use-opening'
import { Line } from './text'

const LABELS: Readonly<Partial<Record<OpeningProgress['phase'], string>>> = {
  index: 'Index',
  tips: 'Newest commits',
  unpack: 'Unpacked',
}

/** Shows the progress of opening. Only packs take long: to unpack, to index, or to search for tips. */
export function OpeningNote({ opening: { name, progress, cancel } }: { opening: Opening }) {
  return (
    <div class="page">
      <section class="card opening" role="status">
        <p>
          Opening <Line text={name} />
          {progress ? `: ${stepOf(progress)}` : '…'}
        </p>
        {progress && progress.total > 0 ? (
          <progress
            max={progress.total}
            value={progress.done}
            aria-label={LABELS[progress.phase]}
          />
        ) : (
          <progress aria-label="Opening" />
        )}
        <button type="button" onClick={cancel}>
          Cancel
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
        <p>Still {stepOf(progress)}</p>
        <progress max={progress.total} value={progress.done} aria-label="Newest commits" />
        <button type="button" onClick={stop}>
          Stop
        </button>
      </section>
    </div>
  )
}

function stepOf({ phase, done, total }: NonNullable<Opening['progress']>): string {
  if (phase === 'unpack') return `unpacking it, ${formatSize(done)} of ${formatSize(total)}`
  if (phase === 'index')
    return `making its index, ${formatNumber(done)} of ${count(total, 'object')}`
  if (total === 0) return `looking for its newest commits among ${count(done, 'object')} so far`
  return `looking for its newest commits, ${formatNumber(done)} of ${count(total, 'object')}`
}
