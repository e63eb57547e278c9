// The text of another language is longer, and has letters with accents: the page must have room.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { errors } from '../../demo/src/words/errors.ts'
import { first } from '../../demo/src/words/first.ts'
import { pages } from '../../demo/src/words/pages.ts'
import { targetDir } from '../../scripts/lib/paths.mjs'
import { ADDRESSES } from './page-kinds.ts'
import { overflow, useViewer } from './viewer.ts'

const viewer = useViewer()
const assets = path.join(targetDir, 'demo', 'assets')

/** The share of its length that a text is longer. */
const LONGER = 0.4
const ACCENTS: Readonly<Record<string, string>> = { a: 'ä', e: 'é', i: 'ï', o: 'ö', u: 'ü', n: 'ñ' }

/** Returns a text longer and with accents; spaces at its ends stay, as does `#` for a number. */
function lengthened(text: string): string {
  const [, before = '', inner = '', after = ''] = /^(\P{L}*)(.*?)(\P{L}*)$/su.exec(text) ?? []
  const accented = inner.replaceAll(/[aeioun]/g, (letter) => ACCENTS[letter] ?? letter)
  const again = accented.replaceAll('#', '').slice(0, Math.ceil(inner.length * LONGER))
  // One word becomes a longer one, a sentence gets more words.
  return before + accented + (inner.includes(' ') ? ` ${again}` : again) + after
}

/** The names by which the objects of words are found in a script. */
const OBJECTS = [first, errors, errors.codes, errors.own, pages].map((words) => Object.keys(words))

/** Returns a built script with longer words. */
function withLongWords(code: string): string {
  const file = ts.createSourceFile('built.js', code, ts.ScriptTarget.Latest, true)
  const changes: { start: number; end: number; text: string }[] = []
  const visit = (node: ts.Node, inWords: boolean) => {
    if (inWords && ts.isStringLiteralLike(node)) {
      const text = JSON.stringify(lengthened(node.text))
      changes.push({ start: node.getStart(), end: node.end, text })
    }
    const isWords = inWords || isWordsObject(node)
    ts.forEachChild(node, (child) => {
      const isName = ts.isPropertyAssignment(node) && child === node.name
      if (!isName) visit(child, isWords)
    })
  }
  visit(file, false)
  expect(changes.length).toBeGreaterThan(80)
  let at = 0
  const parts = changes.flatMap(({ start, end, text }) => {
    const before = code.slice(at, start)
    at = end
    return [before, text]
  })
  return parts.join('') + code.slice(at)
}

/** Returns whether a node has words, or the forms of one by number. */
function isWordsObject(node: ts.Node): boolean {
  if (!ts.isObjectLiteralExpression(node)) return false
  const names = new Set(node.properties.map(({ name }) => name && nameOf(name)))
  if (names.has('one') && names.has('other')) return true
  return OBJECTS.some((keys) => keys.every((key) => names.has(key)))
}

function nameOf(name: ts.PropertyName): string {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : ''
}

/** The scripts with longer words, by their names: made once, because parsing them takes long. */
let scripts: (readonly [name: string, body: string])[] = []

beforeAll(() => {
  const names = readdirSync(assets).filter((name) => /^(?:index|more)-.*\.js$/.test(name))
  scripts = names.map((name) => [
    name,
    withLongWords(readFileSync(path.join(assets, name), 'utf8')),
  ])
})

/** Serves the scripts with longer words. */
async function serveLongWords(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 700 })
  for (const [name, body] of scripts) {
    await page.route(`**/${name}`, (route) =>
      route.fulfill({ body, contentType: 'text/javascript' }),
    )
  }
}

test.each(ADDRESSES)('the page %s has room for longer words on a narrow screen', async (hash) => {
  const page = await viewer.open(hash, 'main section', serveLongWords)
  // The words are in use, and the page is complete enough to have its layout.
  await page.getByText(lengthened(first.find)).waitFor()
  await page.locator('main[aria-busy=false]').waitFor()
  expect(await overflow(page)).toBe(0)
  expect(await cutButtons(page)).toEqual([])
})

/** Returns the buttons and tabs whose text is wider than they are. */
function cutButtons(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, nav a')]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .map(({ textContent }) => textContent ?? ''),
  )
}
