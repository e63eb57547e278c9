import type { Stats } from 'packlens'
import type { Measured, Reading } from '../meter'
import type { Opened } from '../repository/opened'
import { MEMORY } from '../repository/opened'
import { formatMilliseconds, formatSize } from '../text/format'
import { formatNumber } from '../words/language'
import { work } from '../words/work'

/** Shows the counters of packlens, and what the newest actions took. */
interface Props {
  readonly opened: Opened
  /** The bytes of the repository, if they are known. */
  readonly size: number | undefined
}

export function WorkPanel({ opened: { meter }, size }: Props) {
  const stats = meter.stats()
  const { actions } = meter
  const { columns } = work
  return (
    <section class="work" aria-label={work.title}>
      {stats ? <Counters stats={stats} size={size} /> : null}
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.action}</th>
            <th scope="col" colSpan={2}>
              {columns.time}
            </th>
            <th scope="col" colSpan={2}>
              {columns.read}
            </th>
            <th scope="col">{columns.inflated}</th>
            <th scope="col">{columns.objects}</th>
          </tr>
        </thead>
        <tbody>
          {actions.map((measured, at) => (
            <ActionRow key={actions.length - at} measured={measured} all={actions} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Counters({ stats, size }: { stats: Stats; size: number | undefined }) {
  const { requests, receivedBytes, bytesRead, objects, memoryHighWater } = stats
  const { baseCacheHits, deltasApplied, blocksRead, blocksEvicted } = stats
  const rows: readonly (readonly [name: string, value: string, share?: number])[] = [
    ...(requests > 0
      ? [[work.requests, work.received(requests, formatSize(receivedBytes))] as const]
      : []),
    size === undefined
      ? [work.read, formatSize(bytesRead)]
      : [work.read, work.of(formatSize(bytesRead), formatSize(size)), bytesRead / size],
    [work.blocks, work.evicted(blocksRead, blocksEvicted)],
    [work.objects, formatNumber(objects)],
    [
      work.bases,
      work.forDeltas(baseCacheHits, deltasApplied),
      baseCacheHits / Math.max(1, deltasApplied),
    ],
    [
      work.memory,
      work.of(formatSize(memoryHighWater), formatSize(MEMORY)),
      memoryHighWater / MEMORY,
    ],
  ]
  return (
    <dl>
      {rows.map(([name, value, share]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {share === undefined ? null : <Bar share={share} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function ActionRow({ measured, all }: { measured: Measured; all: readonly Measured[] }) {
  const { action, last } = measured
  const share = (value: (reading: Reading) => number) =>
    value(last) / Math.max(1, ...all.map(({ last }) => value(last)))
  return (
    <tr>
      <th scope="row">{action()}</th>
      <td class="number">{formatMilliseconds(last.milliseconds)}</td>
      <td>
        <Bar share={share(({ milliseconds }) => milliseconds)} />
      </td>
      <td class="number">{formatSize(last.bytesRead)}</td>
      <td>
        <Bar share={share(({ bytesRead }) => bytesRead)} />
      </td>
      <td class="number">{formatSize(last.inflatedBytes)}</td>
      <td class="number">{formatNumber(last.objects)}</td>
    </tr>
  )
}

function Bar({ share }: { share: number }) {
  return (
    <span class="bar" aria-hidden="true">
      <i style={{ width: `${Math.min(100, share * 100).toFixed(1)}%` }} />
    </span>
  )
}
