// Files, text and branches are found, also with the keyboard; folders are downloaded.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { bestPaths } from '../../demo/src/text/fuzzy.ts'
import { downloaded } from './downloads.ts'
import { fixtures, go, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
  await page.locator('.files').waitFor()
})

/** The files that the finder shows. */
function option() {
  return page.getByRole('dialog').getByRole('option')
}

test('text is found in files, with the lines around it', async () => {
  await page.getByRole('link', { name: 'Search', exact: true }).click()
  await page.getByLabel('Text to find').fill('SUM(')
  await page.keyboard.press('Enter')
  await page.getByText('3 lines in 2 files.').waitFor()
  expect(await page.locator('.patch h3').allTextContents()).toEqual(['README.md', 'src/numbers.c'])
  expect(await page.locator('mark').allTextContents()).toEqual(['sum(', 'sum(', 'sum('])
  const lines = page.locator('.hits').last().locator('tr')
  expect(await lines.first().textContent()).toBe('4/* Returns the sum of two numbers. */')
  expect(page.url()).toMatch(/#search\/HEAD\?text=SUM%28$/)
  await page.getByLabel('Match case').check()
  await page.keyboard.press('Enter')
  await page.getByText('0 lines in 0 files.').waitFor()
})

test('a regular expression is searched below a folder, and a hit leads to its line', async () => {
  await go(page, '#search/main/src')
  await page.getByLabel('Text to find').fill('^def +[a-z]+')
  await page.getByLabel('Regular expression').check()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByText('1 line in 1 file.').waitFor()
  await page.getByRole('link', { name: '5', exact: true }).click()
  await page.locator('.chosen-lines').waitFor()
  expect(page.url()).toMatch(/#\/main\/src\/check\.py#L5$/)
})

test('an expression that is none is explained', async () => {
  await go(page, '#search/main?text=a(&syntax=regexp')
  await page.getByRole('alert').waitFor()
})

test('a file is found by letters of its path', async () => {
  await page.locator('body').press('t')
  await page.getByLabel('Letters of the path').fill('srnum')
  await expect.poll(() => option().allTextContents()).toEqual(['src/numbers.c'])
  await page.keyboard.press('Enter')
  await page.locator('.numbered .text', { hasText: 'static inline int' }).waitFor()
  await page.getByRole('button', { name: 'Find a file' }).click()
  await page.getByLabel('Letters of the path').fill('d')
  await option().nth(1).waitFor()
  await page.keyboard.press('ArrowDown')
  const chosen = page.locator('[aria-selected=true]')
  expect(await chosen.textContent()).toBe(await option().nth(1).textContent())
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

test('the chosen file of a long list is in view', async () => {
  await page.setViewportSize({ width: 800, height: 260 })
  await page.locator('body').press('t')
  await option().nth(8).waitFor()
  for (let at = 0; at < 8; at++) await page.keyboard.press('ArrowDown')
  const isInView = () =>
    page.locator('[aria-selected=true]').evaluate((chosen) => {
      const list = chosen.parentElement?.getBoundingClientRect()
      return chosen.getBoundingClientRect().bottom <= (list?.bottom ?? 0) + 1
    })
  await expect.poll(isInView).toBe(true)
})

test('paths with the letters in a row, in their last name, come first', () => {
  const paths = ['a/table/x.c', 'src/table.txt', 'src/t/a/b.c', 'other']
  expect(bestPaths(paths, 'tab', 10).map(({ path }) => path)).toEqual([
    'src/table.txt',
    'a/table/x.c',
    'src/t/a/b.c',
  ])
  expect([...(bestPaths(['src/table.txt'], 'st', 1)[0]?.marks ?? [])]).toEqual([0, 12])
})

test('branches and tags are listed with their distance, and can be filtered', async () => {
  await page.getByRole('link', { name: '2 branches · 1 tag' }).click()
  const row = page.locator('.refs tr', { hasText: 'older' })
  await row.getByText('+0 −2').waitFor()
  expect(await row.textContent()).toContain("Merge branch 'faster'")
  await page.getByLabel('Filter by name').fill('V1')
  await expect.poll(() => page.locator('.refs th').allTextContents()).toEqual(['v1.0'])
})

test('the current branch is the first of the list', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-head-'))
  cpSync(path.join(fixtures, 'project'), folder, { recursive: true })
  writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/older\n')
  const other = await viewer.open()
  await openFolder(other, folder)
  await waitForRepository(other, path.basename(folder))
  await go(other, '#refs')
  await other.locator('.refs').first().waitFor()
  expect(await other.locator('.refs').first().locator('th').allTextContents()).toEqual([
    'olderHEAD',
    'main',
  ])
  rmSync(folder, { recursive: true })
})

test('of many refs, the list has one element until a user turns to it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-many-refs-'))
  cpSync(path.join(fixtures, 'project'), folder, { recursive: true })
  const file = path.join(folder, 'packed-refs')
  const packed = readFileSync(file, 'latin1')
  const [main = ''] = /^[0-9a-f]{40} refs\/heads\/main\n/m.exec(packed) ?? []
  const many = Array.from({ length: 300 }, (_, at) => main.replace('main', `many/${100 + at}`))
  writeFileSync(file, packed.replace(main, main + many.join('')))
  const other = await viewer.open()
  await openFolder(other, folder)
  await waitForRepository(other, path.basename(folder))
  await other.locator('.files').waitFor()
  const list = other.getByLabel('Branch or tag')
  expect(await list.locator('option').allTextContents()).toEqual(['main (HEAD)'])
  await list.focus()
  await expect.poll(() => list.locator('option').count()).toBe(303)
  await list.selectOption('many/399')
  await expect.poll(() => other.url()).toMatch(/#\/many%2F399$/)
  rmSync(folder, { recursive: true })
})

test('two branches are compared', async () => {
  await go(page, '#compare/older...main')
  await page.getByRole('heading', { name: '2 commits' }).waitFor()
  await page.getByRole('heading', { name: '12 changed files' }).waitFor()
  await page.getByRole('button', { name: 'Swap' }).click()
  await page.getByRole('heading', { name: '0 changed files' }).waitFor()
  // Not uncheck(), which looks at once: the box follows the address.
  await page.getByLabel('since both parted').click()
  await page.getByRole('heading', { name: '12 changed files' }).waitFor()
  expect(page.url()).toMatch(/#compare\/main\.\.older$/)
  expect(await page.getByLabel('since both parted').isChecked()).toBe(false)
})

test('each key does what the page says', async () => {
  const press = (key: string) => page.locator('body').press(key)
  await press('?')
  const keys = page.getByRole('dialog')
  await keys.waitFor()
  expect(await keys.locator('kbd').allTextContents()).toEqual([
    ...['t', '/', 'j, k, ↓, ↑', 'h', 'b', 'y', 'u', '?'],
  ])
  // At once: the dialog has the focus still.
  await keys.getByRole('button', { name: 'Close' }).evaluate((button: HTMLButtonElement) => {
    button.click()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
  })
  await press('ArrowDown')
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  expect(await focused()).toBe('docs')
  await press('k')
  expect(await focused()).toBe('data')
  await go(page, '#/main/src/check.py')
  await page.locator('.numbered').waitFor()
  await press('b')
  await page.locator('.blamed').waitFor()
  await press('h')
  await page.getByRole('heading', { name: 'Commits that changed this path' }).waitFor()
  await press('u')
  await expect.poll(() => page.url()).toMatch(/#\/main\/src$/)
  await page.locator('.files tbody tr').nth(3).waitFor()
  await press('/')
  await expect.poll(() => page.url()).toMatch(/#search\/main\/src$/)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Text to find')
  await go(page, '#/main/src/check.py#L3')
  await page.locator('.chosen-lines').waitFor()
  await press('y')
  await expect.poll(() => page.url()).toMatch(/#\/id%3A[0-9a-f]{40}\/src\/check\.py#L3$/)
})

test('a folder is downloaded as a zip file', async () => {
  await go(page, '#/main/src')
  await page.getByRole('link', { name: 'check.py' }).waitFor()
  const { name: saved, data } = await downloaded(page, () =>
    page.getByRole('button', { name: 'Download zip' }).click(),
  )
  expect(saved).toBe('src.zip')
  const names = data.toString('latin1')
  expect(names.slice(0, 2)).toBe('PK')
  for (const name of ['src/check.py', 'src/numbers.c', 'src/table.txt']) {
    expect(names).toContain(name)
  }
  expect(names).not.toContain('README')
})
