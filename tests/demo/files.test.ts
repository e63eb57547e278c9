// Each kind of file is shown in a suitable way.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { copied, pasted } from './clipboard.ts'
import { downloaded } from './downloads.ts'
import { openText } from './made-text.ts'
import { goBack, isFirefox, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await openFolder(page, 'hostile')
  await waitForRepository(page, 'hostile')
  await page.getByRole('link', { name: 'files', exact: true }).click()
  await page.locator('.breadcrumbs b', { hasText: 'files' }).waitFor()
})

function openFile(name: string): Promise<void> {
  return page.getByRole('link', { name, exact: true }).click()
}

test('a folder marks entries other than plain files', async () => {
  // Sizes are read once rows are visible, after the names.
  await page.locator('.files tbody tr').last().scrollIntoViewIfNeeded()
  await page
    .locator('.files tbody tr', { hasText: /^program/ })
    .getByText('10 B')
    .waitFor()
  const rows = await page
    .locator('.files tbody tr')
    .evaluateAll((found) =>
      found.map((row) => `${row.firstChild?.textContent}${row.lastChild?.textContent}`),
    )
  const row = (name: string) => rows.find((text) => text.startsWith(name))
  expect(row('program')).toBe('programexecutable10 B')
  expect(row('link-inside')).toBe('link-insidesymlink12 B')
  expect(row('module')).toMatch(/^modulesubmodule @\s[0-9a-f]{8}$/)
  expect(row('empty')).toBe('empty0 B')
  expect(row('binary.bin')).toBe('binary.bin4.9 KiB')
})

test('an image is shown', async () => {
  await openFile('picture.png')
  await page.getByText('image/png, 48 × 32 pixels').waitFor()
})

test('a file that only claims to be an image is said to be none', async () => {
  await openFile('not-really.png')
  await page.getByText('but the browser cannot show it').waitFor()
  expect(await page.locator('.scrolling pre').textContent()).toContain('|.PNG....<script>|')
})

test('a binary file is shown as its first bytes', async () => {
  await openFile('binary.bin')
  await page.getByRole('heading', { name: 'Binary file' }).waitFor()
  const dump = (await page.locator('.scrolling pre').textContent()) ?? ''
  const lines = dump.split('\n')
  expect(lines).toHaveLength(256)
  expect(lines[255]).toMatch(/^00000ff0 {2}([0-9a-f]{2} {1,2}){16} ?\|.{16}\|$/)
  expect(await page.locator('.file-head').textContent()).toContain('5,000 bytes')
})

test('the beginning of a huge file is shown, and all of it on request', async () => {
  await openFile('huge.txt')
  await page.getByText('only its first 512 KiB are shown').waitFor()
  const text = page.locator('.numbered .text')
  expect((await text.textContent())?.length).toBe(512 << 10)
  await page.getByRole('button', { name: 'Show all 605 KiB' }).click()
  await page.getByText('only its first').waitFor({ state: 'detached' })
  expect(await text.textContent()).toMatch(/the last line\n$/)
  expect(await page.locator('.numbers').textContent()).toMatch(/\n20001$/)
})

test('a file of 50,000 lines is many elements, which look and are copied as one', async () => {
  const content = Array.from({ length: 50_000 }, (_, at) => `line ${at} of a long text\n`).join('')
  using _ = await openText(page, 'long.c', content)
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.getByText('only its first').waitFor({ state: 'detached' })
  await page.locator('.numbered .text').evaluate((text) => getSelection()?.selectAllChildren(text))
  expect((await copied(page)) === content).toBe(true)
  const shown = await page.locator('.numbered .text').evaluate((text) => {
    const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(text)
    const [row, above, below] = [lineHeight, paddingTop, paddingBottom].map(Number.parseFloat)
    const height = text.getBoundingClientRect().height - (above ?? 0) - (below ?? 0)
    return { rows: height / (row ?? 0), parts: text.childElementCount }
  })
  expect(shown.rows).toBeCloseTo(50_000, 0)
  expect(shown.parts).toBeGreaterThan(50)
  const numbers = await page.locator('.numbers').textContent()
  const all = Array.from({ length: 50_000 }, (_, at) => at + 1)
  expect(numbers === all.join('\n')).toBe(true)
})

test('a file is downloaded whole, under its own name', async () => {
  await openFile('huge.txt')
  const { name, data } = await downloaded(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  )
  expect(name).toBe('huge.txt')
  expect(data.toString()).toMatch(/the last line\n$/)
})

test('an empty file, one that is not UTF-8, and one with bidirectional characters are shown', async () => {
  await openFile('empty')
  await page.getByText('This file is empty.').waitFor()
  await goBack(page)
  await openFile('latin1.txt')
  await page.getByText('This text is not UTF-8').waitFor()
  expect(await page.locator('.numbered .text').textContent()).toBe('café in Latin-1\n')
  await goBack(page)
  await openFile('turned.c')
  await page.getByText('turn the direction of writing').waitFor()
})

test('a submodule shows its commit', async () => {
  await openFile('module')
  await page.getByRole('heading', { name: 'Submodule' }).waitFor()
  await page.getByText('f98eb10ae82b19af44956c0891e3cc36187fa092').waitFor()
})

test('UTF-16, pointers of Git LFS, documents and sounds are shown as what they are', async () => {
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
  await page.getByRole('link', { name: 'data', exact: true }).click()
  await openFile('utf16.txt')
  await page.getByText('This text is in UTF-16, little-endian.').waitFor()
  expect(await page.locator('.numbered .text').textContent()).toBe('hello\n')
  await goBack(page)
  await openFile('large.bin')
  await page.getByText('a pointer of Git LFS: the file itself, of 118 MiB').waitFor()
  await goBack(page)
  await openFile('document.pdf')
  const link = page.getByRole('link', { name: 'Open this document in the browser' })
  expect(await link.getAttribute('href')).toMatch(/^blob:/)
  await goBack(page)
  await openFile('sound.wav')
  const sound = page.locator('video')
  await expect.poll(() => sound.evaluate((media: HTMLVideoElement) => media.readyState)).toBe(4)
})

test('long lines can be wrapped, and the text can be copied', async () => {
  await openFile('long-line.txt')
  await page.locator('.numbered').waitFor()
  const width = () => page.locator('.numbered').evaluate((region) => region.scrollWidth)
  expect(await width()).toBeGreaterThan(10_000)
  await page.getByRole('button', { name: 'Wrap' }).click()
  await expect.poll(width).toBeLessThan(2000)
  // Firefox lets a page write after a click, and knows no permission for it.
  if (!isFirefox) await page.context().grantPermissions(['clipboard-write'])
  await page.getByRole('button', { name: 'Copy text' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await pasted(page)).toMatch(/^no line end, /)
})
