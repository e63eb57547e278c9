/** Lines of `log` with a graph beside them. */

import type { Lines } from '../base/output.js'
import type { LogLines } from '../log/log-lines.js'
import type { ListedCommit } from '../log/log-printer.js'
import { Graph, type GraphCommit } from './graph.js'

export interface GraphOptions {
  readonly firstParent: boolean
  /** The colors of lanes, in turn; none without colors. */
  readonly colors: readonly string[]
  readonly hasBoundaries: boolean
  /** Whether commits without parents are moved to the right. */
  readonly indentsRoots: boolean
  /** Returns whether a parent is listed itself. */
  readonly isListed: (oid: string) => boolean
  /** Returns whether a commit would be listed if not only first parents were followed. */
  readonly isIncluded: (oid: string) => boolean
}

export class GraphLines implements LogLines {
  readonly hasGraph = true
  readonly #graph: Graph
  readonly #lines: Lines
  readonly #options: GraphOptions
  /** The parents of listed commits, if there are boundaries: these lead to them. */
  readonly #parents = new Set<string>()

  constructor(lines: Lines, options: GraphOptions) {
    this.#graph = new Graph(options)
    this.#lines = lines
    this.#options = options
  }

  get width(): number {
    return this.#graph.width
  }

  add(text: string): void {
    for (const line of text.split(/(?<=\n)/)) {
      if (line !== '') this.#lines.add(this.#graph.paddingLine() + line)
    }
  }

  addUnprefixed(text: string): void {
    this.#lines.addUnprefixed(text)
  }

  addHeader(text: string): void {
    this.#lines.add(text)
    if (text.endsWith('\n')) this.#lines.add(this.#graph.nextLine()[0])
  }

  beginCommit(): void {
    const graph = this.#graph
    // Merges are shown once for each parent.
    if (graph.isFinished) {
      this.addPadding()
      return
    }
    for (let isCommit = false; !isCommit && !graph.isFinished; ) {
      const [line, isOwn] = graph.nextLine()
      isCommit = isOwn
      this.#lines.add(isCommit ? line : `${line}\n`)
    }
  }

  nextCommit(commit: ListedCommit): void {
    const { hasBoundaries } = this.#options
    if (hasBoundaries && commit.mark !== '-') {
      for (const parent of this.#shownParents(commit)) this.#parents.add(parent)
    }
    const following = (commit.following ?? []).map((next) => this.#drawn(next))
    this.#graph.update(this.#drawn(commit), following)
  }

  /** Returns the parents of a commit that are listed. */
  #shownParents({ mark, parents }: ListedCommit): string[] {
    const { hasBoundaries, isListed } = this.#options
    const isBoundary = mark === '-'
    return parents.filter((parent) => {
      return (hasBoundaries && !isBoundary) || this.#parents.has(parent) || isListed(parent)
    })
  }

  /** With only first parents, git still looks at others that are not excluded. */
  #hasOtherParents({ parents }: ListedCommit): boolean {
    const { firstParent, isIncluded } = this.#options
    return firstParent && parents.length > 1 && parents.some(isIncluded)
  }

  #drawn(commit: ListedCommit): GraphCommit {
    const { content, mark, sign: shown } = commit
    const isBoundary = mark === '-'
    const listed = this.#shownParents(commit)
    const parents = this.#options.firstParent ? listed.slice(0, 1) : listed
    const sign = isBoundary ? 'o' : shown !== '' && shown !== '+' ? shown : '*'
    const isRoot = !isBoundary && listed.length === 0 && !this.#hasOtherParents(commit)
    return { oid: content.oid, parents, sign, isRoot }
  }

  addMessage(text: string): void {
    const graph = this.#graph
    // git does not look for lines after a NUL.
    const nul = text.indexOf('\0')
    const [head, tail] = nul < 0 ? [text, ''] : [text.slice(0, nul), text.slice(nul)]
    const [first = '', ...lines] = head.split(/(?<=\n)/)
    this.#lines.add(first)
    for (const line of lines) this.#lines.add(line === '' ? '' : graph.nextLine()[0] + line)
    this.#lines.add(tail)
    if (graph.isFinished) return
    const isEnded = text.endsWith('\n')
    if (!isEnded) this.#lines.add('\n')
    this.#drawRest()
    if (isEnded) this.#lines.add('\n')
  }

  #drawRest(): void {
    for (;;) {
      this.#lines.add(this.#graph.nextLine()[0])
      if (this.#graph.isFinished) return
      this.#lines.add('\n')
    }
  }

  addRest(): void {
    if (this.#graph.isFinished) return
    this.#drawRest()
    this.#lines.add('\n')
  }

  addOneline(): void {
    this.#lines.add(this.#graph.nextLine()[0])
  }

  addPadding(): void {
    this.#lines.add(this.#graph.paddingLine())
  }
}
