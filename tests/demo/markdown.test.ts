// Markdown is rendered, and its links and images are those of the repository.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { openText } from './made-text.ts'
import { goBack, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
  await page.locator('.markdown h1', { hasText: 'Numbers' }).waitFor()
})

function link(name: string) {
  return page.locator('.markdown').getByRole('link', { name, exact: true })
}

test('headings, tables, tasks and code are rendered', async () => {
  const markdown = page.locator('.markdown')
  expect(await markdown.locator('h2').allTextContents()).toEqual(['How it works'])
  expect(await markdown.locator('td').allTextContents()).toEqual(['1', '3'])
  expect(await markdown.locator('input:checked').count()).toBe(1)
  expect(await markdown.locator('strong').allTextContents()).toEqual(['numbers'])
  const keywords = () => page.evaluate(() => CSS.highlights.get('code-keyword')?.size ?? 0)
  await expect.poll(keywords).toBeGreaterThan(0)
})

test('links lead to files of the repository', async () => {
  await link('source').click()
  await page.locator('.numbered .text', { hasText: 'static inline int' }).waitFor()
  await goBack(page)
  await link('guide').click()
  await page.locator('.markdown h1', { hasText: 'Guide' }).waitFor()
  expect(page.url()).toMatch(/#\/main\/docs\/guide\.md$/)
})

test('a link to a heading scrolls to it, and one to another host opens a new tab', async () => {
  const url = page.url()
  await page.setViewportSize({ width: 800, height: 300 })
  await link('Below').click()
  const top = () =>
    page.locator('.markdown h2').evaluate((heading) => heading.getBoundingClientRect().top)
  await expect.poll(top).toBeLessThan(300)
  expect(page.url()).toBe(url)
  expect(await link("git's site").getAttribute('target')).toBe('_blank')
  expect(await link("git's site").getAttribute('rel')).toContain('noreferrer')
})

test('images are read from the repository, and those of other hosts are not loaded', async () => {
  const image = page.locator('.markdown img')
  await image.waitFor()
  expect(await image.getAttribute('src')).toMatch(/^blob:/)
  expect(await image.evaluate((found: HTMLImageElement) => found.naturalWidth)).toBe(8)
  await page.locator('.markdown span', { hasText: 'A badge' }).waitFor()
})

test('the text of a Markdown file can be seen, too', async () => {
  await page.locator('.files').getByRole('link', { name: 'README.md' }).click()
  await page.getByRole('button', { name: 'Code' }).click()
  await page.locator('.numbered .text', { hasText: '## How it works' }).waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  await page.locator('.markdown h2').waitFor()
})

test('a long text is shown in several steps, and its first link leads to its last heading', async () => {
  // The elements that are in the page whenever its code asks for a turn of others.
  const steps = await page.evaluateHandle(() => {
    const steps: number[] = []
    const { setTimeout } = window
    window.setTimeout = ((...call: Parameters<typeof setTimeout>) => {
      steps.push(document.querySelectorAll('.markdown > *').length)
      return setTimeout(...call)
    }) as typeof setTimeout
    return steps
  })
  const words = `${'Some words. '.repeat(500)}\n\n`
  using _ = await openText(page, 'long.md', `[To the end](#end)\n\n${words.repeat(8)}# End\n`)
  await page.locator('.markdown h1', { hasText: 'End' }).waitFor()
  expect(await steps.jsonValue()).toEqual(expect.arrayContaining([2, 3, 4, 5, 6, 7, 8, 9, 10]))
  await link('To the end').click()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000)
})

test('quotes with a mark such as [!NOTE] have a title', async () => {
  const quote = (mark: string, text: string) => `> [!${mark}]\n> ${text}\n\n`
  const text = `${quote('NOTE', 'Read this.')}${quote('Warning', 'Not that.')}${quote('OTHER', 'A quote.')}`
  using _ = await openText(page, 'alerts.md', text)
  const quotes = page.locator('.markdown blockquote')
  await quotes.nth(2).waitFor()
  const paragraphs = await quotes.evaluateAll((found) =>
    found.map((quote) => Array.from(quote.children, ({ textContent }) => textContent)),
  )
  expect(paragraphs).toEqual([
    ['Note', 'Read this.'],
    ['Warning', 'Not that.'],
    ['[!OTHER]\nA quote.'],
  ])
})
