import { count, formatNumber } from '../text/format'
import type { Opening } from '../use-opening'
import { Line } from './text'

/** How far opening has come. Only packs take long: to index, or to look through. */
export function OpeningNote({ opening: { name, progress, cancel } }: { opening: Opening }) {
  return (
    <div class="page">
      <section class="card opening" role="status">
        <p>
          Opening <Line text={name} />
          {progress ? `: ${stepOf(progress)}` : '…'}
        </p>
        {progress?.phase === 'index' ? (
          <progress max={progress.total} value={progress.done} aria-label="Index" />
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

function stepOf({ phase, done, total }: NonNullable<Opening['progress']>): string {
  if (phase === 'index')
    return `making its index, ${formatNumber(done)} of ${count(total, 'object')}`
  return `looking for its newest commits among ${count(done, 'object')} so far`
}
