// Of a long file the browser lays out and colors what is near the view; all of it can be found.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { copied } from './clipboard.ts'
import type { MadeText } from './made-text.ts'
import { openText } from './made-text.ts'
import { go, openFolder, useViewer } from './viewer.ts'

const viewer = useViewer()
const LINES = 6000
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await page.evaluate(() => {
    const drawn = new Set<EventTarget | null>()
    Object.assign(window, { drawn })
    document.addEventListener(
      'contentvisibilityautostatechange',
      (event) => {
        if (!(event as Event & { skipped: boolean }).skipped) drawn.add(event.target)
      },
      { capture: true },
    )
  })
})

/** Opens a file of many lines, of which line 4000 is the longest. */
async function openLong(): Promise<MadeText> {
  const line = (at: number) => {
    const end = at === 4000 ? ` // ${'long '.repeat(100)}` : ''
    return `int number_${at} = ${at};${end}\n`
  }
  const text = Array.from({ length: LINES }, (_, at) => line(at + 1)).join('')
  const made = await openText(page, 'long.c', text)
  await page.locator('.part').first().waitFor()
  return made
}

/** The numbers with a color: the value of each line that is colored. */
function coloredNumbers(): Promise<number[]> {
  return page.evaluate(() => {
    const ranges = [...(CSS.highlights.get('code-number') ?? [])]
    const texts = ranges.map(({ startContainer, startOffset, endOffset }) =>
      (startContainer as Text).data.slice(startOffset, endOffset),
    )
    return texts.map(Number).sort((one, other) => one - other)
  })
}

/** Returns the parts of the text and its numbers, and those that have had a layout so far. */
function countParts(): Promise<{ all: number; drawn: number }> {
  return page.evaluate(() => {
    const { drawn } = window as unknown as { drawn: Set<EventTarget | null> }
    return { all: document.querySelectorAll('.part').length, drawn: drawn.size }
  })
}

const height = () => page.evaluate(() => document.documentElement.scrollHeight)

test('parts near the view have a layout and colors, wherever that is', async () => {
  using _ = await openLong()
  await expect.poll(coloredNumbers).toContain(1)
  const { all, drawn } = await countParts()
  expect(all).toBeGreaterThan(30)
  expect(drawn).toBeGreaterThan(0)
  expect(drawn).toBeLessThan(all / 3)
  expect((await coloredNumbers()).length).toBeLessThan(LINES / 3)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect.poll(coloredNumbers).toContain(LINES)
  expect(await coloredNumbers()).not.toContain(1)
  expect((await coloredNumbers()).length).toBeLessThan(LINES / 3)
  await page.evaluate(() => scrollTo(0, 0))
  await expect.poll(coloredNumbers).toContain(1)
  expect(await coloredNumbers()).not.toContain(LINES)
})

test('the page is as high and as wide before its parts have a layout as after', async () => {
  using _ = await openLong()
  const text = page.locator('.numbered .text')
  const size = () => text.evaluate(({ scrollHeight, scrollWidth }) => [scrollHeight, scrollWidth])
  const before = [await height(), ...(await size())]
  await page.evaluate(() => {
    for (const part of document.querySelectorAll<HTMLElement>('.part')) {
      part.style.contentVisibility = 'visible'
    }
  })
  expect([await height(), ...(await size())]).toEqual(before)
})

test('text that was never in view is copied, without numbers, and by a key without the rest of the page', async () => {
  using made = await openLong()
  const lines = made.text.split('\n')
  // From within a line that is in view to within one that is not.
  await page.locator('.numbered .text').evaluate((text) => {
    const parts = text.querySelectorAll('.part')
    const [from, to] = [parts[0]?.firstChild, parts[parts.length - 1]?.firstChild]
    if (from && to) getSelection()?.setBaseAndExtent(from, 4, to, 3)
  })
  const some = await copied(page)
  expect(some.length).toBeGreaterThan(made.text.length * 0.9)
  expect(made.text.slice(4).startsWith(some)).toBe(true)
  await page.locator('.numbered').focus()
  await page.keyboard.press('ControlOrMeta+a')
  expect((await copied(page)) === made.text).toBe(true)
  // The whole page, in which the text is one thing of many.
  await page.evaluate(() => getSelection()?.selectAllChildren(document.body))
  const all = (await copied(page)).split('\n')
  expect(all.some((line) => line.includes('long.c'))).toBe(true)
  expect(all.filter((line) => line.startsWith('int number_'))).toEqual(lines.slice(0, LINES))
})

test('a text can be selected and copied from the moment it is there', async () => {
  await page.evaluate(() => {
    const copied = new Promise<string | undefined>((resolve) => {
      // Runs at once after the change, before the browser draws it.
      const watch = new MutationObserver(() => {
        const text = document.querySelector('.numbered .text')
        if (!text) return
        watch.disconnect()
        text.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true }))
        const copy = new ClipboardEvent('copy', {
          clipboardData: new DataTransfer(),
          bubbles: true,
        })
        text.dispatchEvent(copy)
        resolve(copy.clipboardData?.getData('text/plain'))
      })
      watch.observe(document.body, { childList: true, subtree: true })
    })
    Object.assign(window, { copied: { text: copied } })
  })
  using made = await openText(page, 'short.txt', 'one\r\ntwo\n')
  const copied = await page.evaluate(
    () => (window as unknown as { copied: { text: Promise<string> } }).copied.text,
  )
  expect(copied).toBe(made.text)
})

test('the ends of lines are copied as they are', async () => {
  using made = await openText(page, 'ends.txt', 'one\r\n\ttwo  \r\nthree\n')
  await page.locator('.numbered').focus()
  await page.keyboard.press('ControlOrMeta+a')
  // A field for text, in which it is pasted, has one kind of line ends.
  await page.evaluate(() => {
    const texts: (string | undefined)[] = []
    Object.assign(window, { texts })
    const note = (event: ClipboardEvent) => {
      texts.push(event.clipboardData?.getData('text/plain'))
    }
    addEventListener('paste', note, { once: true })
    addEventListener('copy', note, { once: true })
  })
  await copied(page)
  const texts = await page.evaluate(() => (window as unknown as { texts: string[] }).texts)
  expect(texts).toEqual([made.text, made.text])
})

test('a part of a long file is reached by its line', async () => {
  using _ = await openLong()
  await go(page, '#/main/long.c#L3000')
  const top = () =>
    page.locator('.chosen-lines').evaluate((mark) => mark.getBoundingClientRect().top)
  await expect.poll(top).toBeGreaterThan(0)
  expect(await top()).toBeLessThan(800)
})

test('a file of a commit that was shown takes a question for each folder, and one for its content', async () => {
  // Too narrow for the list of files beside the file, which asks for its folders once that is shown.
  await page.setViewportSize({ width: 1000, height: 700 })
  await openFolder(page, 'project')
  await page.locator('.markdown h1', { hasText: 'Numbers' }).waitFor()
  await page.locator('.files tr:has(.number:not(:empty)) .change a').first().waitFor()
  await page.locator('.commits', { hasText: 'these are all' }).waitFor()
  await page.locator('.files tbody tr:not(:has(.change a))').first().waitFor({ state: 'detached' })
  const asked = await page.evaluateHandle(() => {
    const kinds: unknown[] = []
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (this: Worker, ...args: [message: unknown]) {
      const { value } = args[0] as { value?: { kind?: unknown } }
      if (value?.kind) kinds.push(value.kind)
      postMessage.apply(this, args)
    }
    return kinds
  })
  await go(page, '#/main/src/table.txt')
  await page.locator('.numbered').waitFor()
  expect(await asked.jsonValue()).toEqual(['read', 'read', 'batch'])
})
