// Histories, their graph and search, and who last changed the lines of a file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright'
import { beforeEach, expect, test } from 'vitest'
import { Lanes } from '../../demo/src/text/lanes.ts'
import { loose, looseCommit, looseTree, makeRepository } from '../node/loose-objects.ts'
import { go, goBack, openFolder, useViewer, waitForRepository } from './viewer.ts'

const viewer = useViewer()
let page: Page

beforeEach(async () => {
  page = await viewer.open()
  await openFolder(page, 'project')
  await waitForRepository(page, 'project')
})

/** Waits for the end of the list. The page of files before it has such a list, too. */
function end(commits?: number): Promise<void> {
  const text = `${commits === undefined ? '' : `${commits} commits`}: these are all.`
  return page.locator('[aria-labelledby="history"]').getByText(text).waitFor()
}

function subjects(): Promise<string[]> {
  return page.locator('[aria-labelledby="history"] li a').allTextContents()
}

/** What `git log --format=%s` prints. */
const all = [
  'Describe what there is',
  'Call the program numbers',
  "Merge branch 'faster'",
  'Sum faster',
  'Check a table of sums',
  'Take the numbers from the command line',
  'Begin with a sum',
]

test('the history of a branch is listed with its graph', async () => {
  await page.getByRole('link', { name: 'History' }).click()
  await end(7)
  expect(await subjects()).toEqual(all)
  const dots = page.locator('.graph .dot')
  const lanes = await dots.evaluateAll((found) => found.map((dot) => dot.className))
  expect(lanes.map((name) => name.slice(-1))).toEqual(['0', '0', '0', '1', '0', '0', '0'])
})

/** What `git log --follow --format=%s -- src/numbers.c` prints. */
test('the history of a file follows its renames', async () => {
  await go(page, '#history/main/src/numbers.c')
  await end()
  expect(await subjects()).toEqual([all[1], all[3], all[5], all[6]])
  expect(await page.locator('.graph').count()).toBe(0)
})

test('the history of a file that no longer exists is listed', async () => {
  await go(page, '#history/main/src/sum.c')
  await end()
  expect((await subjects()).at(-1)).toBe('Begin with a sum')
})

test('commits are searched by message and author, and the address has the search', async () => {
  await go(page, '#history/main')
  await end()
  await page.getByLabel('Text of the message').fill('SUM')
  await page.getByLabel('Author').fill('lovelace')
  await page.getByRole('button', { name: 'Search' }).click()
  await end(2)
  expect(await subjects()).toEqual([all[3], all[6]])
  expect(page.url()).toMatch(/#history\/main\?text=SUM&author=lovelace$/)
  await goBack(page)
  await end(7)
})

test('blame names the commits of lines, also from before a rename', async () => {
  await go(page, '#/main/src/numbers.c')
  await page.getByRole('link', { name: 'Blame' }).click()
  const ranges = page.locator('.blamed li')
  await expect.poll(() => page.locator('section[aria-busy=false] .blamed li').count()).toBe(9)
  // In the order of lines, by which keys and screen readers visit them.
  const tops = await ranges.evaluateAll((items) =>
    items.map((item) => item.getBoundingClientRect().top),
  )
  expect(tops).toEqual([...tops].sort((one, other) => one - other))
  const found = await ranges.evaluateAll((items) =>
    items.map((item) => item.querySelector('a')?.textContent),
  )
  expect(found).toEqual([all[6], all[5], all[6], all[3], all[6], all[5], all[6], all[5], all[6]])
  await page.getByRole('link', { name: 'The file before this change' }).first().click()
  await page.locator('.numbered .text').waitFor()
  expect(page.url()).toMatch(/#blame\/id%3A[0-9a-f]{40}\/src\/sum\.c$/)
})

test('blame looks through the commits that .git-blame-ignore-revs lists, or not', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-ignored-'))
  makeRepository(folder)
  const commit = (text: string, message: string, parents: string[], ignored?: string) => {
    const file = (name: string, content: string) => ({
      ...{ mode: '100644', name, oid: loose(folder, 'blob', content) },
    })
    const list = ignored === undefined ? [] : [file('.git-blame-ignore-revs', ignored)]
    const tree = looseTree(folder, [...list, file('a.c', text)])
    return looseCommit(folder, { tree, parents, message: `${message}\n` })
  }
  const first = commit('int sum(int a,int b);\n', 'Write', [])
  const second = commit('int sum(int a, int b);\n', 'Format', [first])
  const missing = '1'.repeat(40)
  const list = `# Formats.\n${second} # all\n${missing}\nno id\n`
  const third = commit('int sum(int a, int b);\n', 'Ignore', [second], list)
  writeFileSync(path.join(folder, 'refs/heads/main'), `${third}\n`)
  await openFolder(page, folder)
  await waitForRepository(page, path.basename(folder))
  await go(page, '#blame/main/a.c')
  const blamed = page.locator('section[aria-busy=false] .blamed a:first-child')
  await expect.poll(() => blamed.allTextContents()).toEqual(['Write'])
  await page.getByRole('button', { name: 'Ignore revisions' }).click()
  await expect.poll(() => blamed.allTextContents()).toEqual(['Format'])
  rmSync(folder, { recursive: true })
})

test('the lines of a graph lead from each commit to its parents', () => {
  const lanes = new Lanes()
  const merge = lanes.add('m', ['a', 'b'])
  expect(merge).toEqual({
    lane: 0,
    above: [],
    below: [
      [0, 0],
      [0, 1],
    ],
  })
  expect(lanes.add('b', ['base'])).toEqual({
    lane: 1,
    above: [
      [0, 0],
      [1, 1],
    ],
    below: [
      [0, 0],
      [1, 1],
    ],
  })
  // The first parent of a takes over the line of b.
  expect(lanes.add('a', ['base'])).toEqual({
    lane: 0,
    above: [
      [0, 0],
      [1, 1],
    ],
    below: [
      [1, 0],
      [0, 0],
    ],
  })
  expect(lanes.add('base', [])).toEqual({ lane: 0, above: [[0, 0]], below: [] })
  expect(lanes.add('other', [])).toEqual({ lane: 0, above: [], below: [] })
})
