/**
 * Draws the history beside commits, line by line, as `git log --graph` does. Each branch that
 * leads to a commit below has a lane, two columns wide; after a merge new lanes are added, and
 * lanes that lead to the same commit move left until they join.
 */
import { withoutColors } from '../text/columns.js'
import { LaneColors } from './graph-colors.js'
import { RootIndents } from './graph-indent.js'
import { type Edges, moveLanes, NO_EDGE } from './graph-lanes.js'

/** What the next line shows. */
type State = 'padding' | 'skip' | 'before' | 'edge' | 'commit' | 'merge' | 'join'

/** A commit in a graph. */
export interface GraphCommit {
  readonly oid: string
  /** The parents that lanes lead to. */
  readonly parents: readonly string[]
  /** The sign of the commit itself. */
  readonly sign: string
  /** Whether it has no parents, or none that are shown. */
  readonly isRoot: boolean
}

const NOBODY: GraphCommit = { oid: '', parents: [], sign: '', isRoot: false }

export class Graph {
  #commit = NOBODY
  /** The commits that lanes lead to: above and below this commit. */
  #above: readonly string[] = []
  #below: string[] = []
  /** The lane of the commit above it. */
  #lane = 0
  #lastLane = 0
  /** The columns of the drawing: each has the lane below that it leads to. */
  #edges: Edges = []
  #oldEdges: Edges = []
  #width = 0
  #state: State = 'padding'
  #lastState: State = 'padding'
  /** Whether the first parent's lane is that of the merge (1) or left of it (0); -1 unknown. */
  #layout = -1
  /** How many lanes a merge adds. */
  #added = 0
  #lastAdded = 0
  /** The lines that have made room for an octopus merge. */
  #room = 0
  /** How many lanes the commit is moved to the right. */
  #indent = 0
  #needsEdge = false
  readonly #indents: RootIndents | null
  readonly #colors: LaneColors

  /** @param colors those of lanes, in turn; none for a drawing without colors */
  constructor({ colors, indentsRoots }: { colors: readonly string[]; indentsRoots: boolean }) {
    this.#colors = new LaneColors(colors)
    this.#indents = indentsRoots ? new RootIndents() : null
  }

  /** The columns of the drawing. */
  get width(): number {
    return this.#width + 2 * this.#indent
  }

  /** Whether all lines of the commit are drawn. */
  get isFinished(): boolean {
    return this.#state === 'padding'
  }

  /** Goes on to the next commit; `following` are the commits after it. */
  update(commit: GraphCommit, following: readonly GraphCommit[]): void {
    this.#commit = commit
    this.#lastLane = this.#lane
    this.#placeLanes()
    this.#placeRoot(following)
    this.#room = 0
    // The rest of the last commit was not drawn. What was drawn last stays the last state.
    if (this.#state !== 'padding') this.#state = 'skip'
    else this.#state = this.#firstState()
  }

  #firstState(): State {
    if (this.#needsRoom()) return 'before'
    return this.#needsEdge ? 'edge' : 'commit'
  }

  /** Draws the next line; returns also whether it is that of the commit. */
  nextLine(): [line: string, isCommit: boolean] {
    const state = this.#state
    switch (state) {
      case 'padding':
        return [this.#filled(this.#lanesBelow(), this.#indent), false]
      case 'skip':
        this.#setState(this.#needsRoom() ? 'before' : 'commit')
        return [this.#filled('...'), false]
      case 'before':
        return [this.#filled(this.#roomLine()), false]
      case 'edge':
        return [this.#filled(this.#edgeLine()), false]
      case 'commit':
        return [this.#filled(this.#commitLine(), this.#indent), true]
      case 'merge':
        return [this.#filled(this.#mergeLine()), false]
      case 'join':
        return [this.#filled(this.#joinLine(), this.#indent), false]
    }
  }

  /** Draws a line beside text that belongs to the commit, or to what is above it. */
  paddingLine(): string {
    if (this.#state !== 'commit') return this.nextLine()[0]
    const { oid, parents } = this.#commit
    const lanes = this.#above.map((lane) => {
      const isWide = lane === oid && parents.length > 2
      return this.#sign('|', lane) + ' '.repeat(isWide ? (parents.length - 2) * 2 : 1)
    })
    this.#lastState = 'padding'
    return this.#filled(lanes.join(''))
  }

  #setState(state: State): void {
    this.#lastState = this.#state
    this.#state = state
  }

  #lanesBelow(): string {
    return this.#below.map((oid) => `${this.#sign('|', oid)} `).join('')
  }

  #filled(line: string, indent = 0): string {
    const width = this.#width + 2 * indent
    return line + ' '.repeat(Math.max(width - withoutColors(line).length, 0))
  }

  /** Returns a sign of the lane to a commit, in its color. */
  #sign(sign: string, oid: string | undefined): string {
    return this.#colors.paint(sign, oid)
  }

  /** Gives each parent a lane below, and each other lane a place. */
  #placeLanes(): void {
    this.#above = this.#below
    this.#below = []
    this.#edges = []
    this.#width = 0
    this.#layout = -1
    this.#lastAdded = this.#added
    this.#added = 0
    const { oid, parents } = this.#commit
    const lane = this.#above.indexOf(oid)
    this.#lane = lane < 0 ? this.#above.length : lane
    const lanes = lane < 0 ? [...this.#above, oid] : this.#above
    this.#colors.endAllBut(this.#above)
    for (const [at, of] of lanes.entries()) {
      if (of !== oid) this.#place(of, -1)
      else {
        for (const parent of parents) {
          if (parents.length > 1 || lane < 0) this.#colors.advance()
          this.#place(parent, at)
        }
        if (parents.length === 0) this.#width += 2
      }
    }
    trim(this.#edges)
  }

  /** Finds out how far a root is moved, and whether an edge from its child leads there. */
  #placeRoot([next, second]: readonly GraphCommit[]): void {
    if (!this.#indents) return
    const { oid, parents, isRoot } = this.#commit
    this.#indents.addParents(parents)
    const below = next && {
      isRoot: next.isRoot,
      hasLane: this.#below.includes(next.oid),
      isLast: second === undefined,
    }
    this.#indent = this.#indents.indentOf({ oid, isRoot, next: below })
    // One that is moved further follows another root.
    this.#needsEdge = this.#indent === 1 && this.#above.includes(oid)
  }

  #place(oid: string, lane: number): void {
    const known = this.#below.indexOf(oid)
    const at = known < 0 ? this.#below.push(oid) - 1 : known
    this.#colors.begin(oid)
    const parents = this.#commit.parents.length
    let column = this.#width
    if (parents > 1 && lane >= 0 && this.#layout < 0) {
      const distance = lane - at
      this.#layout = distance > 0 ? 0 : 1
      this.#added = parents + this.#layout - 2
      if (this.#layout === 0) column -= distance > 1 ? 2 * distance - 3 : 1
      this.#width += 2 * this.#layout
    } else if (this.#added > 0 && at === this.#edges[this.#width - 2]) {
      // The last lane of the merge joins that of its parent at once.
      column = this.#width - 2
      this.#added = -1
    } else this.#width += 2
    while (this.#edges.length <= column) this.#edges.push(NO_EDGE)
    this.#edges[column] = at
  }

  /** How many dashes lead to the parents of an octopus merge. */
  get #dashes(): number {
    return this.#commit.parents.length + this.#layout - 3
  }

  #needsRoom(): boolean {
    const isOctopus = this.#commit.parents.length >= 3
    return isOctopus && this.#lane < this.#above.length - 1 && this.#room < this.#dashes * 2
  }

  #roomLine(): string {
    let line = ''
    for (const [at, oid] of this.#above.entries()) {
      let sign = '|'
      let gap = ' '
      if (at === this.#lane && oid === this.#commit.oid) gap += ' '.repeat(this.#room)
      else if (at > this.#lane) {
        const follows = this.#lastState === 'merge' && this.#lastLane < at
        if (this.#room > 0 || follows) sign = '\\'
      }
      line += this.#sign(sign, oid) + gap
    }
    this.#room++
    if (!this.#needsRoom()) this.#setState('commit')
    return line
  }

  /** Draws the edge from a child to a root that is moved. */
  #edgeLine(): string {
    const { oid } = this.#commit
    const lanes = this.#above.map((lane) => {
      return lane === oid ? ` ${this.#sign('\\', lane)} ` : `${this.#sign('|', lane)} `
    })
    this.#setState('commit')
    return lanes.join('')
  }

  #commitLine(): string {
    const { parents, sign } = this.#commit
    let line = ''
    for (let at = 0; at < Math.max(this.#above.length, this.#lane + 1); at++) {
      if (at === this.#lane) {
        line += '  '.repeat(this.#indent) + sign
        if (parents.length > 2) line += this.#dashesTo()
      } else line += this.#sign(this.#besideCommit(at), this.#above[at])
      line += ' '
    }
    if (parents.length > 1) this.#setState('merge')
    else this.#setState(isInPlace(this.#edges) ? 'padding' : 'join')
    return line
  }

  /** Draws the dashes to the parents of an octopus merge, in the colors of their lanes. */
  #dashesTo(): string {
    let line = ''
    const count = this.#dashes
    for (let at = 0; at < count; at++) {
      const lane = this.#edges[(this.#lane + at + 2) * 2] ?? NO_EDGE
      const oid = this.#below[lane]
      line += this.#sign('-', oid) + this.#sign(at === count - 1 ? '.' : '-', oid)
    }
    return line
  }

  #besideCommit(at: number): string {
    if (at > this.#lane && this.#added > 1) return '\\'
    if (at > this.#lane && this.#added === 1) {
      const follows = this.#lastState === 'merge' && this.#lastAdded > 0 && this.#lastLane < at
      return follows ? '\\' : '|'
    }
    const joins = this.#lastState === 'join' && this.#oldEdges[2 * at + 1] === at
    return joins && (this.#edges[2 * at] ?? NO_EDGE) < at ? '/' : '|'
  }

  #mergeLine(): string {
    const { parents } = this.#commit
    let line = ''
    let isLeft = false
    for (let at = 0; at < Math.max(this.#above.length, this.#lane + 1); at++) {
      if (at === this.#lane) line += this.#mergeEdges()
      else if (at > this.#lane) {
        line += `${this.#sign(this.#added > 0 ? '\\' : '|', this.#above[at])} `
      } else {
        line += this.#sign('|', this.#above[at])
        const joins = this.#layout === 0 && at === this.#lane - 1
        if (!joins) line += isLeft ? this.#sign('_', parents[0]) : ' '
      }
      if (this.#above[at] === parents[0]) isLeft = true
    }
    this.#setState(isInPlace(this.#edges) ? 'padding' : 'join')
    return line
  }

  /** Draws the edges to all parents: `|\` or `/|\`. */
  #mergeEdges(): string {
    const { parents } = this.#commit
    let line = ''
    for (const [number, parent] of parents.entries()) {
      const sign = Math.min(number + this.#layout, 2)
      line += this.#sign('/|\\'.charAt(sign), parent)
      if (sign === 2 && (this.#added > 0 || number < parents.length - 1)) line += ' '
    }
    return this.#added === 0 ? `${line} ` : line
  }

  #joinLine(): string {
    const moved = moveLanes(this.#edges)
    this.#oldEdges = moved.before
    this.#edges = moved.edges
    this.#setState(isInPlace(this.#edges) ? 'padding' : 'join')
    const signs = [...moved.line].map((sign, column) => {
      return this.#sign(sign, this.#below[moved.before[column] ?? NO_EDGE])
    })
    return signs.join('')
  }
}

/** Removes the columns at the end that are empty. */
function trim(edges: Edges): void {
  while (edges.length > 1 && (edges[edges.length - 1] ?? NO_EDGE) < 0) edges.pop()
}

/** Returns whether each lane is where it leads to. */
function isInPlace(edges: Edges): boolean {
  return edges.every((lane, column) => lane < 0 || lane === Math.floor(column / 2))
}
