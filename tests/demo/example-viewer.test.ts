/** examples/viewer-in-60-lines, in Chromium. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { loose, looseCommit, looseTree, makeRepository } from '../node/loose-objects.ts'
import { launchers } from '../support/browsers.ts'

const example = inRoot('examples', 'viewer-in-60-lines')
const folder = mkdtempSync(path.join(tmpdir(), 'packlens-example-'))
const HTML = '<img src=x onerror="document.title = 1">'

let browser: Browser
let child: ChildProcess
let address = ''

beforeAll(async () => {
  makeRepository(folder)
  const inner = looseTree(folder, [
    { mode: '100644', name: 'a:b %.txt', oid: loose(folder, 'blob', 'in a directory\n') },
  ])
  const tree = looseTree(folder, [
    { mode: '100644', name: HTML.replace('/', ''), oid: loose(folder, 'blob', HTML) },
    { mode: '40000', name: 'sub', oid: inner },
  ])
  const commit = looseCommit(folder, { tree })
  writeFileSync(path.join(folder, 'refs/heads/main'), `${commit}\n`)
  mkdirSync(path.join(folder, 'refs/tags'), { recursive: true })
  writeFileSync(path.join(folder, 'refs/tags/v1'), `${looseCommit(folder, { tree: inner })}\n`)
  child = spawn(process.execPath, [path.join(example, 'start.mjs'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [text] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  address = /^Open (\S+)\n$/.exec(`${text}`)?.[1] ?? ''
  browser = await launchers.chromium()
})

afterAll(async () => {
  await browser?.close()
  const ended = once(child, 'close')
  child.kill()
  await ended
  rmSync(folder, { recursive: true, force: true })
})

test('shows refs, directories and files, and no HTML of theirs', async () => {
  const page = await browser.newPage()
  page.setDefaultTimeout(30_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`${error}`))
  await page.goto(address)
  const links = page.locator('main a')
  await links.first().waitFor()
  expect(await links.allTextContents()).toEqual([HTML, 'sub/'])
  expect(await page.locator('option').allTextContents()).toEqual([
    'HEAD',
    'refs/heads/main',
    'refs/tags/v1',
  ])

  await links.last().click()
  await page.locator('nav', { hasText: 'HEAD:sub/' }).waitFor()
  await page.locator('main a', { hasText: 'a:b %.txt' }).click()
  await page.locator('pre').waitFor()
  expect(await page.locator('nav').textContent()).toBe('HEAD:sub/a:b %.txt')
  expect(await page.locator('pre').textContent()).toBe('in a directory\n')

  await page.selectOption('select', 'refs/tags/v1')
  await page.locator('nav', { hasText: 'refs/tags/v1:' }).waitFor()
  await page.locator('main a').waitFor()
  expect(await page.locator('main a').allTextContents()).toEqual(['a:b %.txt'])

  await page.selectOption('select', 'HEAD')
  await page.locator('main a', { hasText: '<img' }).click()
  await page.locator('pre').waitFor()
  expect(await page.locator('pre').textContent()).toBe(HTML)
  await page.goto(`${address}#HEAD:missing`)
  await page.locator('main', { hasText: 'NOT_FOUND' }).waitFor()
  expect(await page.locator('main').textContent()).toBe(
    'NOT_FOUND: the path does not exist in the tree: HEAD:missing',
  )
  expect([await page.title(), faults]).toEqual(['A repository', []])
})

test('has 60 lines', () => {
  const text = readFileSync(path.join(example, 'index.html'), 'utf8')
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(60)
})
