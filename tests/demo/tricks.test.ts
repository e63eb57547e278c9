// Fixture `tricks`: what the author of a repository can try, on each kind of page. useViewer() fails
// a test in which `canary` is set, a dialog opens, another host is asked, or the console says anything.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { downloaded } from './downloads.ts'
import { go, strangers, useViewer } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.openOnce('tricks')
  page.setDefaultTimeout(30_000)
  await page.locator('.files tbody th').first().waitFor()
})

/** Goes to a page, waits for what it shows, and looks for what should not be in it. */
async function see(hash: string, shown: string): Promise<void> {
  await go(page, hash)
  await page.locator('main:not(.busy)').waitFor()
  await page.locator(shown).first().waitFor()
  expect(await strangers(page), hash).toEqual([])
}

async function seeAll(places: readonly (readonly [hash: string, shown: string])[]): Promise<void> {
  for (const [hash, shown] of places) await see(hash, shown)
}

/** Returns the addresses that the rows of a folder lead to. */
async function entriesOf(hash: string): Promise<string[]> {
  await see(hash, `.breadcrumbs b:has-text("${hash.split('/').at(-1)}")`)
  const links = page.locator('.files tbody th a:not([aria-label])')
  return links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
}

/** The heading of a file, a link or a submodule. */
const FILE = '.card-head #content'

test.each(['names', 'files', 'links', 'modules'])('entries of %s', async (folder) => {
  const entries = await entriesOf(`#/main/${folder}`)
  expect(entries.length).toBeGreaterThan(2)
  for (const entry of entries) await see(entry, FILE)
})

test('a submodule leads to a page if its address is one', async () => {
  const link = page.locator('.note a')
  const about = async (name: string) => {
    await see(`#/main/modules/${name}`, '.note[aria-busy=false]')
    return page.locator('.note').textContent()
  }
  for (const name of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm9']) {
    expect(await about(name), name).toContain(', which this page does not open.')
    expect(await link.count()).toBe(0)
  }
  expect(await about('m8')).toContain('A new tab opens https://example.com/%22onclick=%22canary=35')
  expect(await about('m10')).toContain('A new tab opens https://example.com/project.git')
  expect(await link.getAttribute('href')).toBe('https://example.com/project.git')
  expect(await link.getAttribute('target')).toBe('_blank')
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
  // The name of one leads out of a folder, and the address of the other is an option of git.
  expect(await about('out')).toContain('.gitmodules does not name that repository')
  expect(await about('option')).toContain('.gitmodules has no address of it')
  expect(await about('none')).toContain('.gitmodules does not name that repository')
})

test.each([
  ['page.html', 'text/plain', '<!doctype html><script>'],
  ['page.xhtml', 'text/plain', '<html xmlns='],
  ['script.svg', 'text/plain', '<svg xmlns='],
  ['utf7.txt', 'text/plain', '+ADw-script'],
  ['script.gif', 'image/gif', null],
])('the bytes of %s in a tab of its own', async (name, type, text) => {
  await see(`#/main/files/${name}`, FILE)
  const opening = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Raw', exact: true }).click()
  const tab = await opening
  await tab.waitForLoadState()
  expect(tab.url()).toMatch(/^blob:/)
  expect(await tab.evaluate(() => document.contentType)).toBe(type)
  expect(await tab.evaluate(() => [(globalThis as { canary?: unknown }).canary, opener])).toEqual([
    undefined,
    null,
  ])
  if (text) expect(await tab.locator('body').textContent()).toContain(text)
  expect(await strangers(tab)).toEqual([])
  await tab.close()
  // Chromium shows an image with styles of its own, and says that the policy forbids them.
  const ofImages = type.startsWith('image/') ? 'console: Applying inline style violates' : 'none'
  expect(viewer.takeFaults().filter((fault) => !fault.startsWith(ofImages))).toEqual([])
})

test('folders that are deep, or have many entries', async () => {
  await see(`#/main/deep/${'a/'.repeat(300)}end.txt`, '.numbered .text')
  await see('#/main/many', '.files tbody tr:nth-child(100)')
  for (const name of ['__proto__', 'constructor', 'then']) {
    await see(`#/main/many/${name}/${name}`, `.numbered .text:text-is("${name}")`)
  }
})

test('Markdown leads to other hosts by links alone', async () => {
  await see('#/main/README.md', '.markdown h1')
  const hrefs = await page
    .locator('.markdown a')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
  const outside = 'https://example.com/27'
  expect(hrefs).toEqual([null, null, null, null, null, outside, '#/main', outside])
  expect(await page.locator('.markdown [ping], .markdown [srcset]').count()).toBe(0)
})

test('Markdown with code of a strange language, names of the page, and a part left open', async () => {
  await see('#/main/markdown/nested.md', '.markdown summary')
  expect(await page.locator('.markdown code').textContent()).toBe('let canary = 33\n')
  expect(await page.locator('.markdown :is([id], [name])').count()).toBe(0)
})

test('Markdown that takes a parser long, or deep', async () => {
  for (const name of ['deep', 'elements', 'slow']) {
    await see(`#/main/markdown/${name}.md`, '.markdown > *, .prose')
  }
})

test('blame, history and search', async () => {
  await seeAll([
    ['#blame/changes/names/%3cimg%20src%3dx%20onerror%3dcanary%3d1%3e', '.blamed time'],
    ['#blame/changes/files/script.svg', '.blamed time'],
    ['#history/changes', '.graph .dot'],
    ['#history/odd%2fhuge', '.graph .dot'],
    ['#history/changes/files/%3cb%3epage.html', '.commits li'],
    ['#search/main?text=%3Cscript%3E', 'mark'],
    ['#search/main?text=%28a%2B%29%2B%24&regexp=on', 'main section'],
  ])
})

test('commits, with what they changed, and comparisons', async () => {
  for (const branch of ['main', 'changes', 'odd/times', 'odd/headers', 'odd/huge', 'odd/nobody']) {
    await see(`#compare/main..${branch.replaceAll('.', '%2e')}`, 'main section')
    await see(`#/${encodeURIComponent(branch)}`, '.commits li a')
    const commit = await page.locator('.commits li a').first().getAttribute('href')
    await see(commit ?? '', '.facts')
    await page.locator('.changes-head').waitFor()
  }
  await see('#compare/main...changes', '.diff')
})

test('branches, tags and notes', async () => {
  await see('#refs', '.refs .distance')
  const refs = await page
    .locator('.refs th a')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  expect(refs.length).toBe(22)
  for (const ref of refs) await see(ref, `.files tbody th, ${FILE}`)
  await see('#/ref:refs%2fnotes%2fcommits', '.files tbody th')
})

test('the file finder', async () => {
  await page.locator('body').press('t')
  const dialog = page.getByRole('dialog', { name: 'Find a file' })
  await dialog.getByRole('option').first().waitFor()
  await dialog.locator('input').fill('canary')
  await dialog.getByRole('option').first().waitFor()
  expect(await strangers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test.each([
  [
    '#/main/names/%3cimg%20src%3dx%20onerror%3dcanary%3d1%3e',
    'Download',
    '_img src_x onerror_canary_1_',
  ],
  ['#/main/names/..%5c..%5cHEAD', 'Download', '__.._HEAD'],
  ['#/main/files', 'Download zip', 'files.zip'],
])('a download of %s', async (hash, button, name) => {
  await see(hash, `button:text-is("${button}")`)
  const saved = await downloaded(page, () =>
    page.getByRole('button', { name: button, exact: true }).click(),
  )
  expect(saved.name).toBe(name)
})
