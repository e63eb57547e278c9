// Code has colors, and an address can name its lines.
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { openText } from './made-text.ts'
import { go, goBack, isFirefox, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
})

/** The texts that have a color, by the kind of their tokens. */
function colored(kind: string): Promise<string[]> {
  return page.evaluate((name) => {
    const ranges = [...(CSS.highlights.get(name) ?? [])]
    return ranges.map(({ startContainer, startOffset, endOffset }) =>
      (startContainer as Text).data.slice(startOffset, endOffset),
    )
  }, `code-${kind}`)
}

test('tokens have the colors of their kinds, until the file is left', async () => {
  await go(page, '#/main/src/numbers.c')
  await expect.poll(() => colored('comment')).toEqual(['/* Returns the sum of two numbers. */'])
  expect(await colored('keyword')).toContain('return')
  expect(await colored('string')).toContain('"%d\\n"')
  await go(page, '#/main/src/check.py')
  await expect.poll(() => colored('keyword')).toContain('def')
  expect(await colored('comment')).toEqual([])
})

test('a token that continues in another element has its color in both', async () => {
  // High enough that all of it is near the view: no more than that has colors.
  await page.setViewportSize({ width: 800, height: 12_000 })
  const comment = `/*\n${'A line of a long comment.\n'.repeat(500)}*/`
  using _ = await openText(page, 'long.c', `${comment}\nint x = 12;\n${comment}\nint y = 34;\n`)
  await expect.poll(() => colored('number')).toEqual(['12', '34'])
  const parts = await colored('comment')
  expect(parts.join('')).toBe(comment + comment)
  expect(parts.length).toBeGreaterThan(4)
})

// The protocol by which Firefox is driven cannot have the system choose colors.
test.skipIf(isFirefox)(
  'where the system chooses colors, code has none, and chosen lines have a border',
  async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await go(page, '#/main/src/check.py#L3-L5')
    const border = page.locator('.chosen-lines')
    await expect
      .poll(() => border.evaluate((box) => getComputedStyle(box).borderTopWidth))
      .toBe('2px')
    const [here, system] = await page.locator('.tabs [aria-current]').evaluate((element) => {
      const probe = document.body.appendChild(document.createElement('p'))
      probe.style.cssText = 'forced-color-adjust: none; background: Highlight'
      return [element, probe].map((of) => getComputedStyle(of).backgroundColor)
    })
    expect(here).toBe(system)
    // No tokens are asked for, while they are for the file after it.
    const asked = await page.evaluateHandle(() => {
      const languages: unknown[] = []
      const { postMessage } = Worker.prototype
      Worker.prototype.postMessage = function (this: Worker, ...args: [message: unknown]) {
        const { content } = args[0] as { content?: { language?: unknown } }
        if (content?.language) languages.push(content.language)
        postMessage.apply(this, args)
      }
      return languages
    })
    await go(page, '#/main/src/numbers.c')
    await page.locator('.numbers').waitFor()
    // Effects run after the next frame, and would ask for a file shown while the colors come back.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
    await go(page, '#/main/src')
    await page.locator('.files').waitFor()
    await page.emulateMedia({ forcedColors: 'none' })
    await go(page, '#/main/src/check.py')
    await expect.poll(() => colored('keyword')).toContain('def')
    expect(await asked.jsonValue()).toEqual(['python'])
  },
)

test('the page has few elements, whatever the number of tokens', async () => {
  await go(page, '#/main/src/table.txt')
  await page.locator('.numbers', { hasText: '700' }).waitFor()
  expect(await page.locator('.card, .card *').count()).toBeLessThan(50)
})

test('lines can be chosen, and the address names them', async () => {
  await go(page, '#/main/src/table.txt#L500-L501')
  const mark = page.locator('.chosen-lines')
  await mark.waitFor()
  expect(await mark.evaluate((box) => box.getBoundingClientRect().top)).toBeGreaterThan(0)
  expect(await mark.evaluate((box) => box.getBoundingClientRect().top < innerHeight)).toBe(true)
  const { top, row } = await page.locator('.numbers').evaluate((numbers) => {
    const { paddingTop, lineHeight } = getComputedStyle(numbers)
    return { top: Number.parseFloat(paddingTop), row: Number.parseFloat(lineHeight) }
  })
  const click = async (line: number) => {
    // By the mouse: a click of Playwright's on an element scrolls in Firefox, but not to the position.
    const [x, y] = await page.locator('.numbers').evaluate(
      (numbers, within) => {
        scrollBy(0, numbers.getBoundingClientRect().top + within - innerHeight / 2)
        const { left, top } = numbers.getBoundingClientRect()
        return [left + 5, top + within] as const
      },
      top + row * (line - 0.5),
    )
    await page.mouse.click(x, y)
  }
  await click(503)
  await expect.poll(() => page.url()).toMatch(/#\/main\/src\/table\.txt#L503$/)
  await page.keyboard.down('Shift')
  await click(510)
  await page.keyboard.up('Shift')
  await expect.poll(() => page.url()).toMatch(/#L503-L510$/)
  await goBack(page)
  await page.locator('.files').waitFor()
})
