/** What a page hands to the browser to save. */
import type { Page } from 'playwright'
import { isFirefox } from './viewer.ts'

interface Saved {
  readonly name: string
  readonly data: Buffer
}

/** Returns the file that an action downloads. */
export function downloaded(page: Page, action: () => Promise<void>): Promise<Saved> {
  return isFirefox ? handedOver(page, action) : saved(page, action)
}

async function saved(page: Page, action: () => Promise<void>): Promise<Saved> {
  const waiting = page.waitForEvent('download')
  await action()
  const download = await waiting
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  return { name: download.suggestedFilename(), data: Buffer.concat(chunks) }
}

/** The protocol by which Firefox is driven reports no downloads: this is what the page asks it to save. */
async function handedOver(page: Page, action: () => Promise<void>): Promise<Saved> {
  const waiting = await page.evaluateHandle(() => {
    const { createObjectURL } = URL
    const { click } = HTMLAnchorElement.prototype
    const blobs = new Map<string, Blob>()
    URL.createObjectURL = (blob: Blob) => {
      const url = createObjectURL(blob)
      blobs.set(url, blob)
      return url
    }
    const link = new Promise<HTMLAnchorElement>((resolve) => {
      HTMLAnchorElement.prototype.click = function () {
        resolve(this)
      }
    })
    const result = link.then(async ({ download, href }) => {
      Object.assign(URL, { createObjectURL })
      HTMLAnchorElement.prototype.click = click
      const bytes = new Uint8Array((await blobs.get(href)?.arrayBuffer()) ?? [])
      // By pieces: a call takes no more arguments.
      let text = ''
      for (let at = 0; at < bytes.length; at += 4096) {
        text += String.fromCharCode(...bytes.subarray(at, at + 4096))
      }
      return { name: download, text: btoa(text) }
    })
    // Within an object, because a handle of a promise waits for it.
    return { result }
  })
  await action()
  const { name, text } = await waiting.evaluate(({ result }) => result)
  return { name, data: Buffer.from(text, 'base64') }
}
