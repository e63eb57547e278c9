// Draws a record as an SVG: for each job, the CPU time of each reader relative to git.

const ROW = 18
const LABEL = 300
const WIDTH = 900
/** Powers of ten at the ends of the axis. */
const [LEAST, MOST] = [-1, 2]

const colors = {
  packlens: '#2f6fdb',
  'packlens-cli': '#7fa8ea',
  gitoxide: '#b7642b',
  'isomorphic-git': '#c9a227',
  'wasm-git': '#6b8f4e',
}

/** Returns the picture of the jobs that were compared with git. */
export function plotOf({ jobs, name, date, commit }) {
  const parts = []
  let y = 44
  for (const [job, rows] of Object.entries(jobs)) {
    if (!rows?.[0]?.engine || rows.length === 1) continue
    parts.push(text(8, y + 13, job, 'font-weight="bold"'))
    y += ROW
    for (const { id, engine, ratio } of rows.slice(1)) {
      parts.push(text(20, y + 13, id), ...bar(y, engine, ratio))
      y += ROW
    }
    y += ROW / 2
  }
  const axis = []
  for (let power = LEAST; power <= MOST; power++) {
    const x = place(10 ** power)
    const weight = power === 0 ? 2 : 0.5
    axis.push(`<path d="M${x} 40V${y}" stroke="#888" stroke-width="${weight}"/>`)
    axis.push(text(x, 34, power === 0 ? 'C git' : `× ${10 ** power}`, 'text-anchor="middle"'))
  }
  const title = `CPU beside C git: ${name}, ${date}, ${commit.slice(0, 9)} (thin: least to most)`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${y}" fill="#fff"/>`,
    text(8, 16, title, 'font-weight="bold"'),
    ...axis,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

function bar(y, engine, { median, least, most }) {
  const [from, to] = [place(1), place(median)].sort((a, b) => a - b)
  const color = colors[engine] ?? '#999'
  const width = Math.max(to - from, 1).toFixed(1)
  const middle = y + ROW / 2
  return [
    `<rect x="${from.toFixed(1)}" y="${y + 3}" width="${width}" height="${ROW - 6}" fill="${color}"/>`,
    `<path d="M${place(least).toFixed(1)} ${middle}H${place(most).toFixed(1)}" stroke="#222"/>`,
  ]
}

/** Returns the position of a ratio on the logarithmic axis. */
function place(ratio) {
  const power = Math.min(Math.max(Math.log10(ratio), LEAST - 0.15), MOST + 0.15)
  return LABEL + ((power - LEAST + 0.2) / (MOST - LEAST + 0.4)) * (WIDTH - LABEL)
}

function text(x, y, content, more = '') {
  const escaped = content.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `<text x="${x}" y="${y}" ${more}>${escaped}</text>`
}
