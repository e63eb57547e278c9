/** examples/react and examples/svelte: built by Vite, and used in a Chromium. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { openSync } from 'packlens'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { copyServed } from '../node/servers/served.ts'
import { fixture, folderOf } from '../node/support.ts'
import { launchers } from '../support/browsers.ts'
import { type Site, serve } from './page.ts'
import { makeProject, run, tool } from './support.ts'

const examples = {
  react: ['react', 'react-dom', '@types/react', '@types/react-dom'],
  svelte: ['svelte', '@sveltejs/vite-plugin-svelte'],
}

let browser: Browser
beforeAll(async () => {
  browser = await launchers.chromium()
})
afterAll(() => browser?.close())

/** Returns a project of an example with the packages that it names. */
function projectOf(name: keyof typeof examples): string {
  const folder = makeProject(name, {})
  cpSync(inRoot('examples', name), folder, { recursive: true })
  for (const installed of examples[name]) {
    const link = path.join(folder, 'node_modules', installed)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(tool(...installed.split('/')), link, 'junction')
  }
  return folder
}

async function built(folder: string): Promise<Site> {
  const vite = [tool('vite', 'bin', 'vite.js'), 'build', '--outDir', 'out', '--base', './']
  // The tests' own value would make the build one for development.
  const production = { NODE_ENV: 'production' }
  const ended = await run(folder, process.execPath, [...vite, '--logLevel', 'warn'], production)
  // On a busy machine Rolldown says how long its plugins took.
  const stderr = ended.stderr.replace(/^\[PLUGIN_TIMINGS\][\s\S]*?#bundlertimings .*\s*/, '')
  expect({ ...ended, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  copyServed(fixture('main'), path.join(folder, 'out', 'project.git'))
  return serve(path.join(folder, 'out'))
}

/** Loads a page, ends the view while a request has no answer, and returns the error of that. */
async function endWaiting(page: Page, request: string): Promise<string | undefined> {
  let ask = () => {}
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  await page.route(request, () => ask())
  await page.reload()
  await asked
  const aborted = page.waitForEvent('requestfailed')
  await page.evaluate(() => dispatchEvent(new Event('close-view')))
  return (await aborted).failure()?.errorText
}

test('the component of React has no errors of types', async () => {
  const folder = projectOf('react')
  const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = await run(folder, process.execPath, [tsc, '-p', folder])
  expect(stdout).toBe('')
})

describe.each(['react', 'svelte'] as const)('the component of %s', (name) => {
  test('shows directories and files, and reads nothing after its end', async () => {
    const site = await built(projectOf(name))
    const page = await browser.newPage()
    page.setDefaultTimeout(30_000)
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(`${error}`))
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
    using local = openSync(folderOf(fixture('main')))
    const names = (spec: string) =>
      local.readTree(spec).entries.map(({ name, isTree }) => (isTree ? `${name}/` : name))
    const shown = () => page.locator('li').allInnerTexts()
    const open = (entry: string) => page.getByRole('button', { name: entry, exact: true }).click()
    try {
      await page.goto(site.url)
      await page.locator('li').first().waitFor()
      expect(await shown()).toEqual(names('HEAD'))
      await open('imported/')
      await page.locator('nav', { hasText: 'HEAD:imported' }).waitFor()
      await open('other/')
      await page.locator('li', { hasText: 'chapter-4.txt' }).waitFor()
      expect(await shown()).toEqual(names('HEAD:imported/other'))
      await open('chapter-4.txt')
      const text = local.readBlob('HEAD:imported/other/chapter-4.txt').text()
      await page.locator('pre').waitFor()
      expect(await page.locator('pre').textContent()).toBe(text)
      await open('..')
      await page.locator('li', { hasText: 'chapter-4.txt' }).waitFor()

      // Read after the opening, and by it.
      for (const request of ['**/*.pack', '**/project.git/HEAD']) {
        expect(await endWaiting(page, request)).toBe('net::ERR_ABORTED')
      }
      expect(await page.locator('body').textContent()).not.toContain('HEAD')
      expect(faults).toEqual([])
    } finally {
      site.close()
      await page.close()
    }
  })
})
