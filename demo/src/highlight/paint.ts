/** Colors the text of an element without changing the page's tree: elements would be one a token. */
import type { Tokens } from './tokens'
import { KINDS } from './tokens'

/** How far from the view text has its colors: they are there before it is scrolled into view. */
const NEAR = '100%'

/** A text node, and which tokens are in it. */
interface Run {
  readonly node: Text
  /** The offset of the node in the text. */
  readonly base: number
  /** Positions in the array of tokens. */
  readonly from: number
  readonly to: number
}

/**
 * Colors what is near the view, because the browser looks at every color of a text that it draws.
 * Returns what removes the colors. Browsers without CSS highlights show none.
 */
export function paint(element: Element, tokens: Tokens): () => void {
  if (typeof Highlight === 'undefined' || !('highlights' in CSS)) return () => {}
  const runs = runsIn(element, tokens)
  const colored = new Map<Element, () => void>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        colored.get(target)?.()
        if (isIntersecting) colored.set(target, color(runs.get(target) ?? [], tokens))
        else colored.delete(target)
      }
    },
    { rootMargin: NEAR },
  )
  for (const parent of runs.keys()) observer.observe(parent)
  return () => {
    observer.disconnect()
    for (const remove of colored.values()) remove()
  }
}

/** Returns the text nodes that have tokens, by their elements. A token may continue in the next node. */
function runsIn(element: Element, tokens: Tokens): ReadonlyMap<Element, readonly Run[]> {
  const runs = new Map<Element, Run[]>()
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let base = 0
  let at = 0
  for (let node = nodes.nextNode() as Text | null; node; node = nodes.nextNode() as Text | null) {
    const end = base + node.length
    while ((tokens[at + 1] ?? end) <= base && at < tokens.length) at += 3
    let to = at
    while (to < tokens.length && (tokens[to] ?? end) < end) to += 3
    const parent = node.parentElement
    if (parent && to > at) {
      runs.set(parent, [...(runs.get(parent) ?? []), { node, base, from: at, to }])
    }
    base = end
  }
  return runs
}

/** Colors the tokens of text nodes; returns what removes their colors. */
function color(runs: readonly Run[], tokens: Tokens): () => void {
  const added: [Highlight, StaticRange][] = []
  for (const { node, base, from, to } of runs) {
    for (let at = from; at < to; at += 3) {
      const [start = 0, end = 0, kind = 0] = tokens.subarray(at, at + 3)
      const highlight = highlightOf(kind)
      const range = new StaticRange({
        startContainer: node,
        startOffset: Math.max(start - base, 0),
        endContainer: node,
        endOffset: Math.min(end - base, node.length),
      })
      highlight.add(range)
      added.push([highlight, range])
    }
  }
  return () => {
    for (const [highlight, range] of added) highlight.delete(range)
  }
}

function highlightOf(kind: number): Highlight {
  const name = `code-${KINDS[kind]}`
  const known = CSS.highlights.get(name)
  if (known) return known
  const made = new Highlight()
  CSS.highlights.set(name, made)
  return made
}
