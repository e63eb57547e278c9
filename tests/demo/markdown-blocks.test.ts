// Markdown becomes HTML in blocks, each of which closes the elements that it opens.
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { blocksOf } from '../../demo/src/markdown/blocks.ts'

const PARAGRAPH = `${'Some words of a *long* paragraph. '.repeat(100)}\n\n`

test('blocks are the same HTML as the whole text, and are short', () => {
  const text = `# Title\n\n[a]: ./target\n\n${`${PARAGRAPH}- one\n- [a]\n\n`.repeat(9)}`
  const blocks = blocksOf(text)
  expect(blocks.join('')).toBe(marked.parse(text, { gfm: true }))
  expect(blocks.length).toBeGreaterThan(5)
  for (const block of blocks) expect(block.length).toBeLessThan(9000)
})

test.each([
  ['details', '<details>\n<summary>More</summary>\n\n', '</details>\n\n'],
  ['a table', '<TABLE>\n<tr><td>\n\n', '</td></tr></TABLE>\n\n'],
  ['an element in a paragraph', 'A <b>bold\n\n', 'end</b> of it.\n\n'],
  ['nested elements', '<div>\n<p align="center">\n\n', '</p>\n</div>\n\n'],
])('%s that many paragraphs later are closed are in one block', (_, open, close) => {
  // Each paragraph is long enough to be a block.
  const blocks = blocksOf(PARAGRAPH.repeat(2) + open + PARAGRAPH.repeat(6) + close + PARAGRAPH)
  expect(blocks.length).toBe(4)
  expect(blocks[2]).toContain(open.trim().slice(0, 6))
  expect(blocks[2]).toContain(close.trim().slice(-6))
})

test('an element that is never closed, and one that was never opened', () => {
  expect(blocksOf(`<div>\n\n${PARAGRAPH.repeat(6)}`).length).toBe(1)
  expect(blocksOf(`</div>\n\n${PARAGRAPH.repeat(6)}`).length).toBeGreaterThan(2)
  expect(blocksOf('').length).toBe(0)
})

test('elements without an end, such as images, keep nothing open', () => {
  expect(blocksOf(`<img src="a.png"><br>\n\n${PARAGRAPH.repeat(6)}`).length).toBeGreaterThan(2)
})
