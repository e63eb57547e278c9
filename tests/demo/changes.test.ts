// The page of a commit shows what it changed, file by file.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { goBack, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
})

async function openCommit(subject: string): Promise<void> {
  await page.locator('.commits').getByRole('link', { name: subject }).click()
  await page.getByRole('heading', { name: /changed files?$/ }).waitFor()
}

function patch(name: string) {
  return page.locator('.patch', { has: page.getByRole('heading', { level: 3, name }) })
}

/** The rows of a patch: sign and text, without line numbers. */
async function linesOf(name: string): Promise<string[]> {
  const cells = patch(name).locator('td[data-sign]')
  return cells.evaluateAll((found) =>
    found.map((cell) => `${cell.getAttribute('data-sign')}${cell.textContent}`),
  )
}

test('a commit shows its changed lines, and within them the changed words', async () => {
  await openCommit('Sum faster')
  expect(await page.locator('.changes-head').textContent()).toContain('1 changed file+1 −1')
  expect(await linesOf('src/sum.c')).toEqual(
    [
      ' #include <stdlib.h>',
      ' ',
      ' /* Returns the sum of two numbers. */',
      '−static int sum(int a, int b)',
      '+static inline int sum(int a, int b)',
      ' {',
      ' \treturn a + b;',
      ' }',
    ].map((line) => (line === ' ' ? '  ' : line)),
  )
  expect(await patch('src/sum.c').locator('ins').allTextContents()).toEqual(['inline '])
  const numbers = patch('src/sum.c').locator('tr.added .line-number')
  expect(await numbers.allTextContents()).toEqual(['', '5'])
  await page.getByRole('link', { name: 'src/sum.c' }).click()
  await page.locator('.numbered .text', { hasText: 'static inline int' }).waitFor()
})

test('both sides can be shown beside each other, and the choice is kept', async () => {
  await openCommit('Sum faster')
  await page.getByRole('button', { name: 'Side by side' }).click()
  const row = patch('src/sum.c').locator('tr', { has: page.locator('td.added') })
  await expect
    .poll(() => row.locator('td').allTextContents())
    .toEqual(['5', 'static int sum(int a, int b)', '5', 'static inline int sum(int a, int b)'])
  await goBack(page)
  await openCommit('Take the numbers')
  await page.locator('.diff-split').first().waitFor()
})

test('renames, modes, images and submodules are shown as what they are', async () => {
  await openCommit('Call the program numbers')
  await page.getByRole('heading', { name: 'src/sum.c → src/numbers.c' }).waitFor()
  expect(await patch('src/numbers.c').textContent()).toContain('renamed, 100 % the same')
  expect(await patch('build.sh').textContent()).toContain('added')
  await expect.poll(() => patch('docs/logo.png').locator('img').count()).toBe(2)
  // The images are a part of that, not an action of their own.
  await expect.poll(() => page.locator('.status b').first().textContent()).toBe('Changes')
  await goBack(page)
  await openCommit('Describe what there is')
  expect(await patch('part').textContent()).toMatch(/Submodule: nothing → [0-9a-f]{8}/)
})

test('a merge is compared with its first parent', async () => {
  await openCommit("Merge branch 'faster'")
  await page.getByText('compared with the first parent').waitFor()
  expect(await page.locator('.patch h3').allTextContents()).toEqual(['src/sum.c'])
})

test('a list of the changed files leads to each', async () => {
  await openCommit('Call the program numbers')
  const links = page.locator('.changed-files a')
  expect(await links.allTextContents()).toEqual([
    ...['build.sh', 'docs/guide.md', 'docs/logo.png', 'src/numbers.c'],
  ])
  await page.setViewportSize({ width: 900, height: 300 })
  const url = page.url()
  await links.last().click()
  const isInView = () =>
    patch('src/numbers.c').evaluate((card) => card.getBoundingClientRect().top < innerHeight)
  await expect.poll(isInView).toBe(true)
  expect(page.url()).toBe(url)
})

test('a large change is shown on request', async () => {
  await openCommit('Check a table of sums')
  expect(await linesOf('src/table.txt')).toEqual([])
  await page.getByRole('button', { name: 'Show 700 lines' }).click()
  await expect.poll(async () => (await linesOf('src/table.txt')).at(-1)).toBe('+700 1400 2100')
})

test('the first commit adds all of its files', async () => {
  await openCommit('Begin with a sum')
  expect(await page.locator('.patch h3').allTextContents()).toEqual([
    'README.md',
    'docs/guide.md',
    'docs/logo.png',
    'src/sum.c',
  ])
})

test('a folder shows the last change of each entry', async () => {
  await expect
    .poll(() => page.locator('.files tbody .change').allTextContents())
    .toEqual([
      'Describe what there is',
      'Describe what there is',
      'Call the program numbers',
      'Describe what there is',
      'Describe what there is',
      'Call the program numbers',
      'Describe what there is',
    ])
  expect(await page.locator('.files .when').nth(1).textContent()).toMatch(/^\d+ years ago$/)
  await page.locator('.files').getByRole('link', { name: 'src' }).click()
  await expect
    .poll(() => page.locator('.files tbody tr:has(.change)').allTextContents())
    .toEqual([
      expect.stringMatching(/^check\.pyCheck a table of sums\d+ years ago/),
      expect.stringMatching(/^numbers\.cCall the program numbers/),
      expect.stringMatching(/^table\.txtCheck a table of sums/),
    ])
})
