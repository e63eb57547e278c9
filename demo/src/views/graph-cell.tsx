import type { GraphRow } from '../text/lanes'

const WIDTH = 12
/** Further lanes are not drawn: they would leave no room for the text. */
const MOST_LANES = 12

/** Draws a row of the graph. It is as high as its row, whatever that has. */
export function GraphCell({ row, lanes }: { row: GraphRow; lanes: number }) {
  const shown = Math.min(lanes, MOST_LANES)
  const width = shown * WIDTH + 4
  const x = (lane: number) => Math.min(lane, MOST_LANES) * WIDTH + WIDTH / 2 + 2
  return (
    <div class="graph" style={{ width: `${width}px` }}>
      <svg width={width} viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
        {row.above.filter(isVisible).map(([from, to], at) => (
          <path key={at} class={color(from)} d={bend(x(from), 0, x(to), 50)} />
        ))}
        {row.below.filter(isVisible).map(([from, to], at) => (
          <path key={at} class={color(to)} d={bend(x(from), 50, x(to), 100)} />
        ))}
      </svg>
      <span class={`dot ${color(row.lane)}`} style={{ left: `${x(row.lane)}px` }} />
    </div>
  )
}

function isVisible([from, to]: readonly [number, number]): boolean {
  return from < MOST_LANES && to < MOST_LANES
}

function bend(x1: number, y1: number, x2: number, y2: number): string {
  const middle = (y1 + y2) / 2
  return x1 === x2
    ? `M${x1} ${y1}V${y2}`
    : `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`
}

function color(lane: number): string {
  return `lane-${lane % 6}`
}
