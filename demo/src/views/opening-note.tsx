import { formatSize } from '../text/format'
import type { Opening } from '../use-opening'
import { Line } from './text'

/** How far opening has come. Only a pack without an index takes long. */
export function OpeningNote({ opening: { name, progress, cancel } }: { opening: Opening }) {
  const { done, total } = progress ?? { done: 0, total: 0 }
  return (
    <div class="page">
      <section class="card opening" role="status">
        <p>
          Opening <Line text={name} />
          {progress ? `: making its index, ${formatSize(done)} of ${formatSize(total)}` : '…'}
        </p>
        {progress ? <progress max={total} value={done} aria-label="Index" /> : <progress />}
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </section>
    </div>
  )
}
