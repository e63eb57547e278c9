// Fixture `hostile`: all of its content is text. useViewer() fails a test in which
// a dialog opens, a request is sent, or the policy has to block something.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import {
  go,
  goBack,
  isFirefox,
  openFolder,
  strangers,
  useViewer,
  waitForRepository,
} from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await openFolder(page, 'hostile')
  await waitForRepository(page, 'hostile')
  await page.locator('.commits li').nth(1).waitFor()
})

test('names are text, and link to their files', async () => {
  await go(page, '#/main/names')
  await page.locator('.breadcrumbs b', { hasText: 'names' }).waitFor()
  const names = await page.locator('.files tbody th bdi').allTextContents()
  expect(names).toEqual([
    '\\x20',
    '"><svg onload=alert(3)>',
    '%3Cscript%3E',
    '&lt;b&gt;',
    '..%2f..%2fHEAD',
    '<img src=x onerror=alert(2)>',
    '?query#fragment',
    '__proto__',
    'caf\\xe9',
    'constructor',
    'javascript:alert(4)',
    'new\\nline',
    'txt.\\u202egpj.exe',
    'zero\\u200bwidth',
  ])
  expect(await strangers(page)).toEqual([])
  const links = page.locator('.files tbody th a:not([aria-label])')
  for (let at = 0; at < names.length; at++) {
    await links.nth(at).click()
    await page.locator('.numbered .text').waitFor()
    expect(await page.locator('.numbered .text').textContent()).toMatch(/^<script>alert\(5\)/)
    expect(await page.locator('.breadcrumbs b').textContent()).toBe(names[at])
    expect(await strangers(page)).toEqual([])
    await goBack(page)
    await links.nth(names.length - 1).waitFor()
  }
})

test('messages, people, branches and tags are text', async () => {
  expect(await page.locator('.commits li a').nth(1).textContent()).toBe(
    '<img src=x onerror=alert(12)>',
  )
  expect(await page.locator('.commits li a').first().textContent()).toBe(
    'Turned: \\u202etxt.exe\\tand a tab',
  )
  expect(await page.locator('option').allTextContents()).toEqual([
    'main (HEAD)',
    'x<svg/onload=alert(14)>',
    '<b>tag</b>',
  ])
  await page.locator('.commits li a').nth(1).click()
  await page.locator('.facts').waitFor()
  expect(await page.locator('.prose').textContent()).toBe('<script>alert(13)</script>')
  const author = await page.locator('.facts dd').nth(1).textContent()
  expect(author).toContain('Mallory "&amp;" O\'Hara <x"onmouseover=alert(1)>')
  expect(await strangers(page)).toEqual([])
  await page.getByLabel('Branch or tag').selectOption('<b>tag</b>')
  await page.getByText('<img src=x onerror=alert(15)>').waitFor()
  expect(await strangers(page)).toEqual([])
})

test('HTML files are shown as text', async () => {
  await go(page, '#/main/files/page.html')
  const begin = '<!doctype html><script>alert(8)</script>'
  await page.locator('.numbered .text', { hasText: begin }).waitFor()
  expect(await strangers(page)).toEqual([])
})

test('an SVG file is shown as an image, in which nothing runs, or as text', async () => {
  await go(page, '#/main/files/drawing.svg')
  await page.locator('.image img').waitFor()
  expect(await strangers(page)).toEqual([])
  await page.getByRole('button', { name: 'Code' }).click()
  await page.locator('.numbered .text', { hasText: '<svg xmlns=' }).waitFor()
  expect(await strangers(page)).toEqual([])
})

test('Markdown has no script, no frame, no form, and no address outside but in links', async () => {
  expect(await page.locator('.markdown').textContent()).not.toContain('alert')
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
  await go(page, '#/main/docs/hostile.md')
  await page.locator('.markdown h1', { hasText: 'Hostile' }).waitFor()
  expect(await strangers(page)).toEqual([])
  const markdown = page.locator('.markdown')
  const forbidden = 'form, button, input, video, embed, link, meta, base, [style], [id], [name]'
  expect(await markdown.locator(forbidden).count()).toBe(0)
  const links = await markdown
    .locator('a')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')))
  expect(links).toEqual([null, null, null, 'https://example.com/d'])
  expect(await markdown.locator('a').last().getAttribute('rel')).toContain('noopener')
  for (const link of (await markdown.locator('a').all()).slice(0, 3)) await link.click()
})

test('an address cannot inject anything', async () => {
  await go(page, '#/<img src=x onerror=alert(16)>/"><script>alert(17)</script>')
  await page
    .getByText('This repository has no branch or tag called <img src=x onerror=alert(16)>')
    .waitFor()
  await go(page, '#/main/names/<img src=x onerror=alert(2)>')
  await page.locator('.numbered .text').waitFor()
  expect(await strangers(page)).toEqual([])
})

test('symbolic links do not become links to other pages', async () => {
  await go(page, '#/main/files/link')
  await page.getByText('javascript:alert(11)').waitFor()
  const href = await page.locator('section.card a').getAttribute('href')
  expect(href).toBe('#/main/files/javascript%3aalert%2811%29')
  await go(page, '#/main/files/link-outside')
  await page.getByText('which is outside of this repository').waitFor()
  await go(page, '#/main/files/link-inside')
  await page.getByRole('link', { name: '../README.md' }).click()
  await page.locator('.markdown h1').waitFor()
})

// The protocol by which Firefox is driven does not report what a policy blocks.
test.skipIf(isFirefox)('if something were injected, the policy would block it', async () => {
  await page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement
    const script = document.createElement('script')
    script.append('alert(18)')
    const image = document.createElement('img')
    image.src = '//example.com/x'
    main.append(script, image)
    void fetch('//example.com/').catch(() => {})
  })
  const stopped = new Set<string>()
  const found = () => {
    for (const fault of viewer.takeFaults()) {
      const directive = / (?:directive:? ["']|requires ')([a-z]+-src|TrustedScript)/.exec(
        fault,
      )?.[1]
      if (directive) stopped.add(directive)
    }
    return [...stopped].sort()
  }
  await expect.poll(found).toEqual(['TrustedScript', 'connect-src', 'img-src'])
})
