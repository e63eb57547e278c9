// How the Markdown of the repository becomes that of the site: plugins of markdown-it.
import { linkTo } from '../../scripts/lib/site/pages.mjs'

/** Links between documents lead to pages; links to other files of the repository become text. */
export function linked(markdown, pages) {
  markdown.core.ruler.push('linked', ({ tokens, env }) => {
    const source = pages.get(env.relativePath)?.source
    // Pages of the API have links of their own.
    if (source === undefined) return
    for (const { children } of tokens) {
      const open = []
      for (const token of children ?? []) {
        if (token.type === 'link_open') open.push(rewritten(token, source))
        if (token.type === 'link_close' && open.pop() === null) makeText(token)
      }
    }
  })
}

function rewritten(token, source) {
  const href = token.attrGet('href')
  if (/^[a-z]+:/.test(href)) return href
  const link = linkTo(source, href)
  if (link === null) makeText(token)
  else token.attrSet('href', link)
  return link
}

function makeText(token) {
  Object.assign(token, { type: 'text', content: '', tag: '', nesting: 0, attrs: null })
}

/** An empty cell at the head of a table is no heading, and wide tables scroll by keys. */
export function accessible(markdown) {
  markdown.core.ruler.push('accessible', ({ tokens }) => {
    tokens.forEach((token, at) => {
      if (token.type !== 'th_open' || tokens[at + 1].content !== '') return
      for (const cell of [token, tokens[at + 2]]) cell.tag = 'td'
    })
  })
  const { table_open, table_close } = markdown.renderer.rules
  const rest = (tokens, at, options, _, self) => self.renderToken(tokens, at, options)
  markdown.renderer.rules.table_open = (...args) =>
    `<div class="table" tabindex="0" role="group" aria-label="Table">${(table_open ?? rest)(...args)}`
  markdown.renderer.rules.table_close = (...args) => `${(table_close ?? rest)(...args)}</div>`
}
