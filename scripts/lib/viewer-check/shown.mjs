// Reads what a page of the viewer shows.

export class Shown {
  constructor(page) {
    this.page = page
  }

  /** Goes to a route; returns once its content is complete. */
  async go(hash, complete) {
    await this.page.evaluate((to) => {
      location.hash = to
    }, hash)
    await this.wait(complete)
  }

  async wait(complete) {
    await this.page.locator('main:not(.busy)').waitFor()
    await this.page.locator(complete).first().waitFor()
  }

  /** Calls a function with all elements that fit. */
  all(selector, read) {
    return this.page.locator(selector).evaluateAll(read)
  }

  /** Clicks a button until it is gone. */
  async exhaust(name) {
    const button = this.page.getByRole('button', { name })
    for (;;) {
      await this.page.locator('[aria-busy=true]').waitFor({ state: 'detached' })
      if ((await button.count()) === 0) return
      await click(button)
    }
  }

  click(selector) {
    return click(this.page.locator(selector))
  }

  entries() {
    return this.all('.files tbody tr:has(.when)', (rows) =>
      rows.map((row) => [
        row.querySelector('th a').textContent,
        row.querySelector('.change a')?.hash.replace('#commit/', '') ?? null,
      ]),
    )
  }

  commits() {
    return this.all('.commits li', (items) =>
      items.map((item) => item.querySelector('a').hash.replace('#commit/', '')),
    )
  }

  async changes() {
    await this.exhaust('Show more files')
    return this.all('.patch', (patches) =>
      patches.map((patch) => [
        patch.querySelector('h3').textContent,
        patch.querySelector('.patch-size')?.textContent ?? '',
      ]),
    )
  }

  /** The commit of each line. */
  blame() {
    return this.all('.blamed li', (items) =>
      items.flatMap((item) => {
        const count = Number(/\((\d+) \*/.exec(item.style.height)[1])
        return Array(count).fill(item.querySelector('a').hash.replace('#commit/', ''))
      }),
    )
  }

  hits() {
    return this.all('.hits tr:not(.context)', (rows) =>
      rows.flatMap((row) => {
        const line = row.querySelector('.line-number')
        const path = row.closest('section').querySelector('h3').textContent
        return line ? [[path, Number(line.textContent)]] : []
      }),
    )
  }

  /** The names of a kind of refs, and their distances from HEAD. */
  async refs(kind) {
    const button = this.page.locator(`section[aria-label="${kind}"] .card-foot button`)
    if ((await button.count()) > 0) await button.click()
    return this.all(`section[aria-label="${kind}"] tr`, (rows) =>
      rows.map((row) => [
        row.querySelector('th a').textContent,
        row.querySelector('.distance').textContent,
      ]),
    )
  }

  text() {
    return this.page.locator('.numbered .text').textContent()
  }
}

/** Not by the mouse: a button that comes into view may go on by itself, and be gone. */
function click(button) {
  return button.evaluateAll(([found]) => found?.click())
}
