// Draws ratios as bars in an SVG, for a page in light or dark colors.

const WIDTH = 800
/** The width of the labels, and that of the figures behind the bars. */
const [LABELS, FIGURES] = [270, 60]
const HEAD = 88
const BAR = 12
const GAP = 14
/** The height of a row of the legend. */
const ROW = 15

/** Of series, in their order; the second of each is for dark pages. */
const COLORS = [
  ['#2563c9', '#6ea8fe'],
  ['#b45309', '#f0a35e'],
  ['#15803d', '#5fc987'],
  ['#7c3aed', '#b79cf7'],
  ['#be185d', '#f28ab8'],
  ['#52606d', '#a8b3bd'],
  ['#0e7490', '#67c7d8'],
  ['#a16207', '#e3c05a'],
]

/** An axis from 0 to `most`, with a line at each of `ticks`; longer bars are cut off. */
export function linear(most, ticks) {
  return { ticks, from: 0, at: (ratio) => Math.min(ratio / most, 1) }
}

/** A logarithmic axis from `least` to `most`, with bars from 1 on in both directions. */
export function logarithmic(least, most, ticks) {
  const share = (ratio) => Math.log10(ratio / least) / Math.log10(most / least)
  return { ticks, from: 1, at: (ratio) => Math.min(Math.max(share(ratio), 0), 1) }
}

/**
 * Returns a picture of groups of bars.
 *
 * `series` are the names of the colors; `groups` are `{ label, bars: [{ series, median, least,
 * most, inside }] }`. A thin line shows least and most, a tick the ratio inside a process.
 */
export function barChart({ title, about, series, groups, axis }) {
  const used = series.filter((name) => groups.some(({ bars }) => bars.some(has(name))))
  const rows = rowsOf(used)
  const head = HEAD + (rows.length - 1) * ROW
  const parts = []
  let y = head
  for (const { label, bars } of groups) {
    const height = bars.length * BAR
    parts.push(text(LABELS - 12, y + height / 2 + 4, label, 'text-anchor="end"'))
    for (const bar of bars) {
      parts.push(...drawn(bar, y, series.indexOf(bar.series), axis))
      y += BAR
    }
    y += GAP
  }
  const lines = axis.ticks.flatMap(([ratio, name]) => {
    const x = along(axis, ratio)
    const kind = ratio === 1 ? 'one' : 'line'
    return [
      `<path class="${kind}" d="M${x} ${head - 6}V${y - GAP + 6}"/>`,
      text(x, head - 10, name, 'text-anchor="middle" class="small"'),
    ]
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style()}</style>`,
    `<rect class="page" width="${WIDTH}" height="${y}"/>`,
    text(12, 20, title, 'class="title"'),
    text(12, 38, about, 'class="small"'),
    ...rows.flatMap((names, row) => legend(names, row, series)),
    ...lines,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

const has = (name) => (bar) => bar.series === name

function drawn({ median, least, most, inside }, y, color, axis) {
  const [left, right] = [axis.from, median].map((ratio) => along(axis, ratio)).sort((a, b) => a - b)
  const middle = y + BAR / 2
  const parts = [
    `<rect class="s${color}" x="${left}" y="${y + 1}" width="${round(Math.max(right - left, 1))}" height="${BAR - 2}"/>`,
    `<path class="spread" d="M${along(axis, least)} ${middle}H${along(axis, most)}"/>`,
  ]
  if (inside !== undefined) {
    parts.push(`<path class="inside" d="M${along(axis, inside)} ${y}V${y + BAR}"/>`)
  }
  const [x, anchor] =
    median < axis.from
      ? [along(axis, least) - 5, 'end']
      : [along(axis, Math.max(median, most)) + 5, 'start']
  const figures = text(
    round(x),
    middle + 4,
    `${figure(median)}`,
    `class="small" text-anchor="${anchor}"`,
  )
  return [...parts, figures]
}

const widthOf = (name) => 34 + 6 * name.length
const width = (names) => names.reduce((sum, name) => sum + widthOf(name), 0)

/** Splits the names of a legend into rows that are no wider than the bars. */
function rowsOf(names) {
  const rows = [[]]
  for (const name of names) {
    if (width([...rows.at(-1), name]) > WIDTH - LABELS) rows.push([])
    rows.at(-1).push(name)
  }
  return rows
}

/** Draws a row of the legend above the bars. */
function legend(names, row, series) {
  const y = 48 + row * ROW
  return names.flatMap((name, at) => {
    const x = LABELS + width(names.slice(0, at))
    return [
      `<rect class="s${series.indexOf(name)}" x="${x}" y="${y}" width="10" height="10"/>`,
      text(x + 14, y + 9, name, 'class="small"'),
    ]
  })
}

function along(axis, ratio) {
  return onto(axis.at(ratio))
}

function onto(share) {
  return round(LABELS + share * (WIDTH - LABELS - FIGURES))
}

function round(pixels) {
  return Number(pixels.toFixed(1))
}

function figure(value) {
  return Number(value.toPrecision(value < 1 ? 2 : 3))
}

function style() {
  const fills = (at) => COLORS.map((pair, number) => `.s${number}{fill:${pair[at]}}`).join('')
  return [
    'text{font:13px sans-serif;fill:#1f2328}.small{font-size:11px}.title{font-weight:bold;font-size:14px}',
    '.page{fill:#fff}.line{stroke:#d0d7de}.one{stroke:#1f2328}.spread,.inside{stroke:#1f2328}.inside{stroke-width:2}',
    fills(0),
    '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117}.line{stroke:#30363d}',
    `.one,.spread,.inside{stroke:#e6edf3}${fills(1)}}`,
  ].join('')
}

function text(x, y, content, more = '') {
  return `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`
}

function escaped(content) {
  return content.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
