/** Makes HTML of Markdown, in blocks that can be shown one after the other. */
import { marked } from 'marked'

/** The length at which a block ends: more would stop the page for long while it becomes elements. */
const BLOCK = 4 << 10

/** Returns the HTML of a text; each block closes the elements that it opens. */
export function blocksOf(text: string): string[] {
  const blocks: string[] = []
  let open: readonly string[] = []
  let block = ''
  for (const token of marked.lexer(text, { gfm: true })) {
    const html = marked.parser([token])
    block += html
    open = openAfter(open, html)
    if (open.length > 0 || block.length < BLOCK) continue
    blocks.push(block)
    block = ''
  }
  return block ? [...blocks, block] : blocks
}

const VOID = new Set(['area', 'br', 'col', 'embed', 'hr', 'img', 'input', 'source', 'wbr'])

/**
 * Returns the elements that HTML leaves open. HTML in the text may open one that many tokens later
 * closes, such as `<details>`. Tags in comments and attributes count: they make a block larger.
 */
function openAfter(before: readonly string[], html: string): readonly string[] {
  const open = [...before]
  for (const [, slash, tag = ''] of html.matchAll(/<(\/?)([a-z][^\s/>]*)/gi)) {
    const name = tag.toLowerCase()
    if (slash) {
      // Elements inside of it stay open, as those of letters do in browsers: "<p><b></p>".
      const at = open.lastIndexOf(name)
      if (at >= 0) open.splice(at, 1)
    } else if (!VOID.has(name)) open.push(name)
  }
  return open
}
