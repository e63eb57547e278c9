import { useEffect, useState } from 'preact/hooks'
import type { Reading } from '../meter'
import type { Opened } from '../repository/opened'
import { count, formatMilliseconds, formatSize } from '../text/format'

/** Shows the counters of packlens and the time of the last action. */
export function Status({ opened }: { opened: Opened }) {
  const { meter, size } = opened
  const [, redraw] = useState(0)
  useEffect(() => meter.listen(() => redraw((times) => times + 1)), [meter])
  const { measured } = meter
  if (!measured) return null
  return (
    <footer>
      <section class="status" aria-label="What was read">
        <Figures name={measured.action} reading={measured.last} size={undefined} />{' '}
        <Figures name="In total" reading={measured.total} size={size} />
      </section>
    </footer>
  )
}

interface FiguresProps {
  readonly name: string
  readonly reading: Reading
  readonly size: number | undefined
}

function Figures({ name, reading, size }: FiguresProps) {
  const { objects, bytesRead, blocksRead, inflatedBytes, milliseconds } = reading
  return (
    <p>
      <b>{name}</b> {count(objects, 'object')} · {formatSize(bytesRead)}
      {size === undefined ? '' : ` of ${formatSize(size)}`} read in {count(blocksRead, 'block')} ·{' '}
      {formatSize(inflatedBytes)} inflated · {formatMilliseconds(milliseconds)}
    </p>
  )
}
