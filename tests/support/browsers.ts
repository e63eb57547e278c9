/** Starts the browsers of the tests. */
import { chromium, firefox } from 'playwright'
import { chromiumFlags } from '../../scripts/lib/browser.mjs'
import { foundProgram } from '../../scripts/lib/programs.mjs'

/** What a Chromium is launched with. */
export function chromiumOptions() {
  const executablePath = foundProgram('chromium')
  return { args: chromiumFlags, ...(executablePath && { executablePath }) }
}

export const launchers = {
  chromium: () => chromium.launch(chromiumOptions()),
  firefox() {
    const executablePath = foundProgram('firefox')
    // The channel of an unchanged Firefox, which speaks WebDriver BiDi.
    return firefox.launch({ channel: 'moz-firefox', ...(executablePath && { executablePath }) })
  },
}

export type BrowserName = keyof typeof launchers

/** The browser that a project of vitest.config.ts names. */
export function currentBrowser(): BrowserName {
  return process.env.PACKLENS_BROWSER === 'firefox' ? 'firefox' : 'chromium'
}
