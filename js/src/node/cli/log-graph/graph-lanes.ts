/** Moves the lanes of a graph to the left, one line at a time. */

/** The lane that each column leads to; {@link NO_EDGE} for an empty column. */
export type Edges = number[]

export const NO_EDGE = -1

export interface MovedLanes {
  readonly line: string
  /** The columns of this line, and those for the next one. */
  readonly before: Edges
  readonly edges: Edges
}

/**
 * Moves each lane that is not in its place by one column, or by two across another lane. One of
 * them may run to its place horizontally.
 */
export function moveLanes(old: Edges): MovedLanes {
  const edges: Edges = old.map(() => NO_EDGE)
  const at = (column: number) => edges[column] ?? NO_EDGE
  let [edge, target] = [NO_EDGE, NO_EDGE]
  const runHorizontally = (from: number, lane: number, column: number) => {
    if (edge !== NO_EDGE) return
    ;[edge, target] = [from, lane]
    for (let next = lane * 2 + 3; next < column - 2; next += 2) edges[next] = lane
  }
  for (const [column, lane] of old.entries()) {
    if (lane < 0) continue
    if (lane * 2 === column) edges[column] = lane
    else if (at(column - 1) < 0) {
      edges[column - 1] = lane
      runHorizontally(column, lane, column)
    } else if (at(column - 1) !== lane) {
      // It crosses the lane to its left.
      edges[column - 2] = lane
      runHorizontally(column - 1, lane, column)
    }
  }
  const before = [...edges]
  if (at(edges.length - 1) < 0) edges.pop()
  let line = ''
  let isHorizontal = false
  for (const [column, lane] of edges.entries()) {
    if (lane < 0) line += ' '
    else if (lane * 2 === column) line += '|'
    else if (lane === target && column !== edge - 1) {
      // Only the first part goes on in the next line.
      if (column !== lane * 2 + 3) edges[column] = NO_EDGE
      isHorizontal = true
      line += '_'
    } else {
      if (isHorizontal && column < edge) edges[column] = NO_EDGE
      line += '/'
    }
  }
  return { line, before, edges }
}
