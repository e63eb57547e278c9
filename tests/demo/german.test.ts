// The viewer in German: all of its text, in pages that have room for it and without faults.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import * as german from '../../demo/src/words/de/index.ts'
import { errors } from '../../demo/src/words/errors.ts'
import { first } from '../../demo/src/words/first.ts'
import { markdown } from '../../demo/src/words/markdown.ts'
import { pages } from '../../demo/src/words/pages.ts'
import { work } from '../../demo/src/words/work.ts'
import { zip } from '../../demo/src/words/zip.ts'
import { ADDRESSES } from './page-kinds.ts'
import { go, isFirefox, openFolder, overflow, useViewer } from './viewer.ts'

/** Words of git's, of computers or of both languages. */
const SAME =
  /^(?:.{0,3}|Tags?|Blame|Branches|Commits?|Committer|Code|Name|Text|Index|Tag {}|Commit {}|Bytes|Repository|\(HEAD\)|[KMGT]?i?B| ?\(HEAD\))$/

/** Yields the texts of a catalogue, each with its name; functions are called with names of arguments. */
function* textsOf(words: object, name: string): Generator<[string, string]> {
  for (const [key, value] of Object.entries(words)) {
    const at = `${name}.${key}`
    if (typeof value === 'string') yield [at, value]
    else if (typeof value === 'function') yield [at, resultOf(value)]
    else yield* textsOf(value, at)
  }
}

function resultOf(text: (...values: unknown[]) => unknown): string {
  const values = Array.from({ length: text.length }, () => 2)
  return JSON.stringify(text(...values)).replaceAll(/[\d"]+/g, '{}')
}

describe('The German words', () => {
  const english = { errors, first, markdown, pages, work, zip }

  test('are those of all catalogues', () => {
    const [own, others] = [german, english].map((all) => [...textsOf(all, '')].map(([at]) => at))
    expect(own?.sort()).toEqual(others?.sort())
    expect(own?.length).toBeGreaterThan(300)
  })

  test('are no English ones', () => {
    const others = new Map(textsOf(english, ''))
    const same = [...textsOf(german, '')].filter(([at, text]) => {
      const isName = SAME.test(text.replaceAll(/[{}[\],]/g, '').trim())
      return others.get(at) === text && !isName
    })
    expect(same.map(([at]) => at)).toEqual(WITHOUT_WORDS)
  })
})

/** Texts that consist of what is inserted, or of signs. */
const WITHOUT_WORDS: readonly string[] = []

const viewer = useViewer()
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** The language of a browser whose user reads German and English. */
const inGerman = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(navigator, 'languages', { value: ['de-AT', 'en'] })
  })
const onPhone = async (page: Page) => {
  await page.setViewportSize({ width: 320, height: 700 })
  await inGerman(page)
}

test('the language is that of the browser, until another one is chosen', async () => {
  const page = await viewer.open('', 'main section', inGerman)
  const language = () => page.evaluate(() => document.documentElement.lang)
  expect(await language()).toBe('de')
  await page.getByRole('button', { name: german.first.openFolder }).waitFor()
  await page
    .getByText(/^vor \d+ |^gestern|^gerade eben/)
    .first()
    .waitFor()

  const rows = await page.locator('.files tbody tr').count()
  expect(rows).toBeGreaterThan(10)
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByRole('button', { name: first.openFolder }).waitFor()
  expect(await language()).toBe('en')
  // What is shown stays.
  await expect.poll(() => page.locator('.files tbody tr').count()).toBe(rows)
  await page.reload()
  await page.getByRole('button', { name: first.openFolder }).waitFor()
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.getByRole('button', { name: german.first.openFolder }).waitFor()
})

test('pages that are loaded later are in the same language', async () => {
  const page = await viewer.open('#refs', 'main section', inGerman)
  await page
    .getByPlaceholder(german.pages.filter)
    .or(page.getByLabel(german.pages.filter))
    .waitFor()
  await page.getByRole('button', { name: german.first.details }).click()
  await page.getByText(german.work.memory).waitFor()
})

test('what was said before is in the new language, too', async () => {
  const page = await viewer.open('', 'main section', inGerman)
  const about = page.locator('.header p')
  expect(await about.textContent()).toBe(german.first.embedded.history)
  await openFolder(page, 'tiny')
  await page.getByText(german.first.fromFolder).waitFor()
  await go(page, '#history/HEAD/')
  await page.locator('.graph .dot').first().waitFor()
  await page.getByRole('button', { name: german.first.details }).click()
  const actions = page.locator('.work tbody th')
  const title = `${german.first.titles.history('HEAD')} · tiny`
  await expect.poll(() => page.title()).toBe(title)
  expect(await actions.last().textContent()).toBe(german.first.actions.opening)
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByText(first.fromFolder).waitFor()
  expect(await actions.last().textContent()).toBe(first.actions.opening)
  expect(await actions.allTextContents()).not.toContain(german.first.titles.history('HEAD'))
  expect(await actions.allTextContents()).toContain(first.titles.history('HEAD'))
  await expect.poll(() => page.title()).toBe(`${first.titles.history('HEAD')} · tiny`)
})

test('without its text, the page is in English', async () => {
  const page = await viewer.open('', 'main section', async (page) => {
    await inGerman(page)
    await page.route(/\/de-[^/]*\.js$/, (route) => route.abort())
  })
  await page.getByRole('button', { name: first.openFolder }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
  // Firefox does not say on its console that a script could not be loaded.
  expect(viewer.takeFaults().join()).toMatch(isFirefox ? /^$/ : /^console: .*ERR_FAILED$/)
})

declare const window: Window & { axe: { run(): Promise<AxeResults> } }

test.each(ADDRESSES)(
  'the page %s has room for German, and no faults that axe finds',
  async (hash) => {
    const page = await viewer.open(hash, hash === '' ? '.markdown pre' : 'main section', onPhone)
    await page.locator('main[aria-busy=false]').waitFor()
    await page.getByRole('button', { name: german.first.find }).waitFor()
    expect(await overflow(page)).toBe(0)
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, nav a')]
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
        .map(({ textContent }) => textContent),
    )
    expect(cut).toEqual([])
    await page.evaluate(axe)
    const { violations } = await page.evaluate(() => window.axe.run())
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([])
  },
)
