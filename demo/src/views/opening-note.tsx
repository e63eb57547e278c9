import { useEffect, useState } from 'preact/hooks'
import type { Meter } from '../meter'
import type { OpeningProgress } from '../repository/opened'
import { count, formatNumber, formatSize } from '../text/format'
import type { Opening, Search } from '../use-opening'
import { Line } from './text'

const LABELS: Readonly<Partial<Record<OpeningProgress['phase'], string>>> = {
  index: 'Index',
  tips: 'Newest commits',
  unpack: 'Unpacked',
}

/** Shows the progress of opening, and what it is doing. */
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

function stepOf(progress: OpeningProgress): string {
  const { phase, done, total } = progress
  if (phase === 'server') return 'asking its server what it has'
  if (phase === 'names') return `reading its ${count(done, 'name')} so far`
  if (phase === 'refs') {
    const { requests = 0, received = 0 } = progress
    const step = `reading its branches and tags, ${formatNumber(done)} so far`
    return requests > 0 ? `${step}; ${formatReceived(requests, received)}` : step
  }
  if (phase === 'unpack') return `unpacking it, ${formatSize(done)} of ${formatSize(total)}`
  if (phase === 'index')
    return `making its index, ${formatNumber(done)} of ${count(total, 'object')}`
  if (total === 0) return `looking for its newest commits among ${count(done, 'object')} so far`
  return `looking for its newest commits, ${formatNumber(done)} of ${count(total, 'object')}`
}

function formatReceived(requests: number, bytes: number): string {
  return `${count(requests, 'request')}, ${formatSize(bytes)} received`
}

/** Milliseconds between two looks at what a server has sent. */
const BETWEEN = 200

/** Shows what a server has sent, while a page is read; of other sources nothing. */
export function Received({ meter }: { meter: Meter }) {
  const [, look] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => look((times) => times + 1), BETWEEN)
    return () => clearInterval(timer)
  }, [])
  const { requests = 0, receivedBytes = 0 } = meter.stats() ?? {}
  return requests > 0 ? formatReceived(requests, receivedBytes) : null
}
