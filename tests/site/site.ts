/** The built site: its pages, and a browser that records what a page must not do. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { filesUnder } from '../../scripts/lib/fingerprint.mjs'
import { builtForTests, testBase } from '../../scripts/lib/site/build.mjs'
import type { Site } from '../environments/page.ts'
import { serve } from '../environments/page.ts'
import { launchers } from '../support/browsers.ts'

/** Returns the HTML of each page, by its path in the site. */
export function builtPages(): ReadonlyMap<string, string> {
  const files = filesUnder(builtForTests).filter((file) => file.endsWith('.html'))
  return new Map(
    files.map((file) => [
      path.relative(builtForTests, file).replaceAll(path.sep, '/'),
      readFileSync(file, 'utf8'),
    ]),
  )
}

export const isBuilt = (file: string) => existsSync(path.join(builtForTests, file))

export interface PageSettings {
  readonly scheme?: 'light' | 'dark'
  readonly width?: number
}

export type OpenPage = (name: string, settings?: PageSettings) => Promise<Page>

/** Starts a server and a browser; a page may request nothing of another server, and log no error. */
export function useSite(): OpenPage {
  let site: Site
  let browser: Browser
  const pages: Page[] = []
  const faults: string[] = []

  beforeAll(async () => {
    site = await serve(builtForTests, 404, { base: testBase })
    browser = await launchers.chromium()
  })
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
    expect(faults.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
  })

  return async (name, { scheme = 'light', width = 1280 } = {}) => {
    const viewport = { width, height: 800 }
    const context = await browser.newContext({ viewport, colorScheme: scheme })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    pages.push(page)
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(site.url) && !url.startsWith('data:')) faults.push(`request: ${url}`)
    })
    page.on('pageerror', ({ message }) => faults.push(`error: ${message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()}`)
    })
    await page.goto(site.url + name)
    await page.waitForLoadState('networkidle')
    return page
  }
}
