/** Asks the worker for the tokens of texts, and colors them. */
import type { Answer, Request, Tokens } from './tokens'
import { KINDS } from './tokens'

/** Longer texts have no colors: they would take seconds. */
const MOST_COLORED = 1 << 20
/** A grammar that takes longer, in milliseconds, is stopped. */
const LONGEST = 10_000

let worker: Worker | null = null
let lastId = 0
const waiting = new Map<number, (tokens: Tokens) => void>()

/** Returns the tokens of a text; none if that takes too long. */
export function tokensOf(language: string, text: string): Promise<Tokens> {
  if (text.length > MOST_COLORED) return Promise.resolve(new Uint32Array())
  const request: Request = { id: ++lastId, language, text }
  return new Promise((resolve) => {
    const timer = setTimeout(stop, LONGEST)
    waiting.set(request.id, (tokens) => {
      clearTimeout(timer)
      resolve(tokens)
    })
    worker ??= start()
    worker.postMessage(request)
  })
}

function start(): Worker {
  const started = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.(data.tokens)
    waiting.delete(data.id)
  })
  // Without colors the text is as readable as before.
  started.addEventListener('error', stop)
  return started
}

/** Ends the worker, and answers what waits for it with no tokens. */
function stop(): void {
  worker?.terminate()
  worker = null
  for (const answer of waiting.values()) answer(new Uint32Array())
  waiting.clear()
}

/** The tokens that are colored at a time: more would block the page. */
const AT_A_TIME = 1000

/**
 * Colors the text of an element without changing the page's tree, which would take an element a
 * token; a long text step by step. Returns what removes the colors. Browsers without CSS highlights
 * show none.
 */
export function paint(element: Node, tokens: Tokens): () => void {
  if (typeof Highlight === 'undefined' || !('highlights' in CSS)) return () => {}
  const added: [Highlight, StaticRange][] = []
  const rangesOf = rangesIn(element)
  let timer: ReturnType<typeof setTimeout> | undefined
  const step = (start: number) => {
    const end = Math.min(start + AT_A_TIME * 3, tokens.length)
    for (let at = start; at + 2 < end; at += 3) {
      const highlight = highlightOf(tokens[at + 2] ?? 0)
      for (const range of rangesOf(tokens[at] ?? 0, tokens[at + 1] ?? 0)) {
        highlight.add(range)
        added.push([highlight, range])
      }
    }
    if (end < tokens.length) timer = setTimeout(step, 0, end)
  }
  step(0)
  return () => {
    clearTimeout(timer)
    for (const [highlight, range] of added) highlight.delete(range)
  }
}

/**
 * Returns what finds the ranges of a token in the text nodes of an element: more than one, if it
 * continues in the next node. Tokens must be asked for in their order.
 */
function rangesIn(element: Node): (start: number, end: number) => StaticRange[] {
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let node = nodes.nextNode() as Text | null
  let base = 0
  return (start, end) => {
    const ranges: StaticRange[] = []
    while (node) {
      const [first, last] = [Math.max(start - base, 0), Math.min(end - base, node.length)]
      if (first < last) {
        const [startContainer, endContainer] = [node, node]
        const ends = { startOffset: first, endOffset: last }
        ranges.push(new StaticRange({ startContainer, endContainer, ...ends }))
      }
      if (end <= base + node.length) break
      base += node.length
      node = nodes.nextNode() as Text | null
    }
    return ranges
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
