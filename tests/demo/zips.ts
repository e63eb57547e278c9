/** Zip files of fixtures. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BlobWriter, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js'
import type { Page } from 'playwright'
import { fixtures } from './viewer.ts'

type Files = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>

export async function zipOf(files: Files, options = {}): Promise<Buffer> {
  const writer = new ZipWriter(new BlobWriter(), { useWebWorkers: false, ...options })
  for (const [name, content] of Object.entries(files)) {
    const data = typeof content === 'string' ? new TextEncoder().encode(content) : content
    await writer.add(name, new Uint8ArrayReader(data))
  }
  return Buffer.from(await (await writer.close()).arrayBuffer())
}

/** Returns the files of a fixture, each below `prefix`. */
export function filesOf(fixture: string, prefix = ''): Record<string, Uint8Array<ArrayBuffer>> {
  const folder = path.join(fixtures, fixture)
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    found
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [prefix + path.relative(folder, file), new Uint8Array(readFileSync(file))]),
  )
}

export async function openZip(page: Page, name: string, buffer: Buffer): Promise<void> {
  const input = page.getByLabel('Pack and index')
  await input.setInputFiles({ name, mimeType: 'application/zip', buffer })
}
