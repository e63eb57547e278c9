/** What a page copies. */
import type { Page } from 'playwright'

/** Copies what is selected, or what has the focus, as a user does, and returns the text on the clipboard. */
export async function copied(page: Page): Promise<string> {
  await page.keyboard.press('ControlOrMeta+c')
  return pasted(page)
}

/** Returns the text on the clipboard. No permission to read it is needed, which Firefox does not give. */
export async function pasted(page: Page): Promise<string> {
  const field = await page.evaluateHandle(() => {
    const field = document.body.appendChild(document.createElement('textarea'))
    field.focus()
    return field
  })
  await page.keyboard.press('ControlOrMeta+v')
  return field.evaluate((field) => {
    field.remove()
    return field.value
  })
}
