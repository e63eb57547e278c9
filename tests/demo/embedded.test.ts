// The repository of the demo: whichever it is, it has a README and commits.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { targetDir } from '../../scripts/lib/paths.mjs'
import { go, goBack, openFolder, overflow, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
const facts = JSON.parse(
  readFileSync(path.join(targetDir, 'demo', 'repository', 'refs.json'), 'utf8'),
) as { name: string; refs: Record<string, string> }

test('shows branches, the tree, the newest commits, and the counters', async () => {
  const page = await viewer.open()
  expect(await page.locator('.header h1').textContent()).toBe(facts.name)
  const branches = Object.keys(facts.refs).filter((name) => name.startsWith('refs/heads/'))
  const options = page.locator('optgroup[label="Branches"] option')
  expect(await options.count()).toBe(branches.length)
  // Services that run tests check out a commit rather than a branch.
  const head = /^ref: /.test(facts.refs.HEAD ?? '') ? / \(HEAD\)$/ : /^HEAD, detached at /
  expect(await page.locator('option:checked').textContent()).toMatch(head)
  await page.locator('.files').getByRole('link', { name: 'README.md', exact: true }).waitFor()
  await page.locator('.commits li').first().waitFor()
  await expect
    .poll(() => page.getByLabel('What was read').textContent())
    .toMatch(/^(Commits|Sizes|Last changes) [\d.,]+ ms( · .* read)?In total .* of .* readDetails$/)
  await page.getByRole('button', { name: 'Details' }).click()
  const counters = page.getByLabel('Counters')
  await counters.getByText('Memory at most').waitFor()
  expect(await counters.locator('tbody th').last().textContent()).toBe('Opening')
  await page.getByRole('button', { name: 'Details' }).click()
  await counters.waitFor({ state: 'detached' })
})

/** Without an icon a browser requests /favicon.ico, which the policy forbids. */
test('has an icon that its policy allows', async () => {
  const page = await viewer.open()
  const width = await page.evaluate(async () => {
    const image = new Image()
    image.src = document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '/favicon.ico'
    await image.decode()
    return image.naturalWidth
  })
  expect(width).toBeGreaterThan(0)
})

test('shows a file with its size and id', async () => {
  const page = await viewer.open()
  await page.locator('.files').getByRole('link', { name: 'README.md', exact: true }).click()
  await page.getByRole('heading', { name: 'Text' }).waitFor()
  const head = await page.locator('.file-head').textContent()
  expect(head).toMatch(/[\d,]+ bytes/)
  expect(head).toMatch(/[0-9a-f]{40}/)
  await page.getByRole('button', { name: 'Code', exact: true }).click()
  expect(await page.locator('.numbers').textContent()).toMatch(/^1\n2\n3/)
  await expect.poll(() => page.title()).toBe(`README.md · ${facts.name}`)
})

test('links to a commit, its files, and back', async () => {
  const page = await viewer.open()
  await page.locator('.commits li a').first().click()
  await page.getByText('Author', { exact: true }).waitFor()
  expect(page.url()).toMatch(/#commit\/[0-9a-f]{40}$/)
  await page.getByRole('link', { name: 'Browse the files of this commit' }).click()
  await page.locator('.files').getByRole('link', { name: 'README.md', exact: true }).waitFor()
  await goBack(page)
  await page.getByText('Author', { exact: true }).waitFor()
  await goBack(page)
  await page.locator('.commits li').first().waitFor()
})

test('an address without content is explained', async () => {
  const page = await viewer.open('#/HEAD/no/such/file')
  await page.getByText('no/such/file does not exist in').waitFor()
  await page.getByRole('link', { name: 'Go to the files' }).click()
  await page.locator('.files').getByRole('link', { name: 'README.md', exact: true }).waitFor()
  await page.evaluate(() => {
    location.hash = '#/no-such-branch'
  })
  await page.getByText('This repository has no branch or tag called no-such-branch').waitFor()
  await page.evaluate(() => {
    location.hash = `#commit/${'0'.repeat(40)}`
  })
  await page.getByText('This is not in the repository').waitFor()
  await page.getByRole('link', { name: 'Go to the files' }).click()
  await page.locator('.files').getByRole('link', { name: 'README.md', exact: true }).waitFor()
})

test('the page can be used with the keyboard', async () => {
  const page = await viewer.open()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
  await page.locator('.files').getByRole('link', { name: 'README.md', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.markdown').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
})

test('the header, the page and the line at the bottom begin and end alike, whether the page scrolls or not', async () => {
  const page = await viewer.open('#refs', '.refs')
  await page.setViewportSize({ width: 1400, height: 1200 })
  const edges = () =>
    page.evaluate(() =>
      ['.header', 'main', '.status'].map((name) => {
        const element = document.querySelector<HTMLElement>(name)
        const { left, right } = element?.getBoundingClientRect() ?? { left: 0, right: 0 }
        const style = element ? getComputedStyle(element) : null
        const padding = (side?: string) => Number.parseFloat(side ?? '0')
        return [left + padding(style?.paddingLeft), right - padding(style?.paddingRight)]
      }),
    )
  const [header, ...others] = await edges()
  expect(others).toEqual([header, header])
  await go(page, '')
  await page.locator('.markdown').waitFor()
  expect(await edges()).toEqual([header, header, header])
})

test('a narrow screen needs no horizontal scrolling', async () => {
  const page = await viewer.open()
  await page.setViewportSize({ width: 400, height: 800 })
  await page.locator('.commits li').first().waitFor()
  expect(await overflow(page)).toBe(0)
})

test('a folder that is chosen before the first repository has arrived stays open', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const arrived = new Set<string | undefined>()
  const page = await viewer.open('', '.header', async (page) => {
    page.on('requestfinished', (request) => arrived.add(request.url().split('/repository/')[1]))
    await page.route('**/refs.json', async (route) => {
      await held
      await route.continue()
    })
  })
  await openFolder(page, 'tiny')
  await waitForRepository(page, 'tiny')
  const seen = await page.evaluateHandle(() => {
    const seen: (string | null)[] = []
    const look = () => {
      for (const { textContent } of document.querySelectorAll('.opening')) seen.push(textContent)
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
    return seen
  })
  release()
  for (const name of ['refs.json', 'history.pack', 'history.idx']) {
    await expect.poll(() => arrived).toContain(name)
  }
  // The answer to this comes after the page has read the first one.
  await page.evaluate(() => fetch('repository/refs.json').then((response) => response.json()))
  await go(page, '#history/HEAD')
  await page.locator('.graph .dot').first().waitFor()
  expect(await seen.jsonValue()).toEqual([])
})
