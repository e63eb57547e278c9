// The VS Code of the page: opens its addresses, and returns what it shows.

/** How long VS Code may take to show what it is asked for. */
const PATIENCE = 20_000

/** Opens a page; `at` is the address of the repository. Errors of the page are kept. */
export async function openCode(browser, at) {
  // Lists show only the rows for which there is room.
  const page = await browser.newPage({ viewport: { width: 1400, height: 2400 } })
  page.setDefaultTimeout(PATIENCE)
  const errors = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    const text = message.text()
    // Optional files of a repository and of extensions are asked for; VS Code has a link to `/`.
    const isExpected = /status of 404|Not allowed to load local resource/.test(text)
    if (message.type() === 'error' && !isExpected) errors.push(text)
  })
  return {
    page,
    errors,

    /** How often a page was opened once more: VS Code's extension host may fail to start. */
    reloads: 0,

    async open(path) {
      await page.goto(`${at}/${path}`)
      await page.waitForFunction('typeof run === "function"')
      const answer = () => page.evaluate(`ask('ready').catch(() => null)`)
      const [ready] = await this.until(async () => ((await answer()) ? [1] : []), 1)
      if (ready) return
      this.reloads++
      if (this.reloads > 3) throw new Error(`the extension host does not start: ${errors}`)
      errors.length = 0
      await this.open(path)
    },

    /** Asks by an extension. */
    ask: (...question) => page.evaluate((asked) => globalThis.ask(...asked), question),

    /** Runs a command, whose answer may be long in coming. */
    run(...command) {
      page.evaluate((asked) => void globalThis.run(...asked), command)
    },

    /** Returns a list when it has a number of rows, or as it is after a while. */
    async until(listOf, count) {
      const end = Date.now() + PATIENCE
      for (;;) {
        const list = await listOf().catch(() => [])
        if (list.length >= count || Date.now() > end) return list
        await page.waitForTimeout(100)
      }
    },

    /** The lines that the editor shows. */
    lines() {
      return page.locator('.editor-instance .view-line').evaluateAll((lines) =>
        lines
          .map((line) => [line.offsetTop, line.textContent.replaceAll('\u00a0', ' ')])
          .sort(([one], [other]) => one - other)
          .map(([, text]) => text),
      )
    },
  }
}
