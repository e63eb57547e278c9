/** Finds the tokens of texts, in a worker: a grammar can take long for an odd text. */
import type { RootContent } from 'hast'
import { createLowlight } from 'lowlight'
import { answerAll } from '../asked-worker'
import { grammarOf } from './grammars'
import type { Question, Tokens } from './tokens'
import { KINDS, kindOf } from './tokens'

const lowlight = createLowlight()

answerAll(tokensOf)

async function tokensOf({ language, text }: Question): Promise<Tokens> {
  if (!lowlight.registered(language)) {
    const grammar = await grammarOf(language)
    if (!grammar) return new Uint32Array()
    lowlight.register(language, grammar)
  }
  const found: number[] = []
  let at = 0
  const visit = (nodes: readonly RootContent[], kind: number) => {
    for (const node of nodes) {
      if (node.type === 'text') {
        if (kind >= 0) found.push(at, at + node.value.length, kind)
        at += node.value.length
      } else if (node.type === 'element') {
        visit(node.children, kindIn(node.properties.className) ?? kind)
      }
    }
  }
  visit(lowlight.highlight(language, text).children, -1)
  return Uint32Array.from(found)
}

function kindIn(classes: unknown): number | null {
  const [first] = Array.isArray(classes) ? classes : []
  const kind = typeof first === 'string' ? kindOf(first) : null
  return kind && KINDS.indexOf(kind)
}
