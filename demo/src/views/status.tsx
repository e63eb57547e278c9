import { useEffect, useState } from 'preact/hooks'
import type { Opened } from '../repository/opened'
import { formatMilliseconds, formatSize } from '../text/format'
import { useSize } from '../use-size'
import { first } from '../words/first'
import { LongAction } from './received'

type Panel = typeof import('./work-panel').WorkPanel

/** Says what the last action was and how long it took; shows all counters on request. */
export function Status({ opened }: { opened: Opened }) {
  const { meter } = opened
  const size = useSize(opened)
  const [, redraw] = useState(0)
  const [panel, setPanel] = useState<{ readonly Panel: Panel } | null>(null)
  useEffect(() => meter.listen(() => redraw((times) => times + 1)), [meter])
  const { measured } = meter
  if (!measured) return null
  const toggle = () => {
    if (panel) return setPanel(null)
    import('./work-panel').then(
      ({ WorkPanel }) => setPanel({ Panel: WorkPanel }),
      // The page works without its counters.
      () => {},
    )
  }
  const { action, last, total } = measured
  // Of a small repository some is read twice.
  const isPart = size !== undefined && total.bytesRead <= size
  return (
    <footer>
      {panel ? <panel.Panel opened={opened} size={size} /> : null}
      <section class="status" aria-label={first.whatWasRead}>
        <p>
          <b>{action()}</b> {formatMilliseconds(last.milliseconds)}
          {last.bytesRead > 0 ? first.alsoRead(formatSize(last.bytesRead)) : ''}
        </p>
        <LongAction opened={opened} size={size} />
        <p>
          <b>{first.inTotal}</b>{' '}
          {isPart
            ? first.readOf(formatSize(total.bytesRead), formatSize(size))
            : first.read(formatSize(total.bytesRead))}
        </p>
        <button type="button" class="quiet" aria-expanded={panel !== null} onClick={toggle}>
          {first.details}
        </button>
      </section>
    </footer>
  )
}
