/**
 * The package on files of the user's disk, which a page gets only from the user: here
 * Chromium is automated, and real folders are dropped.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { BrowserContext, Page } from 'playwright'
import { chromium } from 'playwright'
import { preview } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { distDir, inRoot } from '../../scripts/lib/paths.mjs'
import { chromiumOptions } from '../support/browsers.ts'
import type { Expected } from '../support/expected.ts'

type Packlens = typeof import('packlens')

/** The globals of the page under test. */
interface Stage {
  packlens: Packlens
  dropped: Promise<FileSystemDirectoryHandle>
  repo: Awaited<ReturnType<Packlens['open']>>
}

const main: Expected = JSON.parse(
  readFileSync(inRoot('tests', 'fixtures', 'expected', 'main.json'), 'utf8'),
)
const repository = inRoot('target', 'fixtures', main.path)
const oids = main.objects.map(({ oid }) => oid)
let server: Awaited<ReturnType<typeof preview>>
let context: BrowserContext
let folder = ''
let url = ''

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-disk-'))
  server = await preview({
    configFile: false,
    root: inRoot('.'),
    build: { outDir: distDir },
    preview: { host: '127.0.0.1', port: 0 },
    logLevel: 'silent',
  })
  url = server.resolvedUrls?.local[0] ?? ''
  // A persistent profile, because private windows keep no permissions.
  context = await chromium.launchPersistentContext(path.join(folder, 'profile'), chromiumOptions())
  const body = `<input type="file" multiple>
    <script type="module">import * as packlens from './index.js'; window.packlens = packlens</script>`
  await context.route('**/stage', (route) => route.fulfill({ contentType: 'text/html', body }))
})
afterAll(async () => {
  await context?.close()
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openPage(): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${url}stage`)
  return page
}

/** Makes a copy of a repository that may be changed. */
function copyOf(repository: string): { copy: string; packs: string[] } {
  const copy = mkdtempSync(path.join(folder, 'repository-'))
  cpSync(repository, copy, { recursive: true })
  const packs = path.join(copy, 'objects', 'pack')
  return { copy, packs: readdirSync(packs).map((name) => path.join(packs, name)) }
}

/** Drops a folder on a page; its handle is `dropped` there. */
async function drop(page: Page, file: string): Promise<void> {
  await page.evaluate(() => {
    const stage = window as unknown as Stage
    stage.dropped = new Promise((resolve) => {
      addEventListener('dragover', (event) => event.preventDefault())
      addEventListener('drop', (event) => {
        event.preventDefault()
        const [item] = (event as DragEvent).dataTransfer?.items ?? []
        const withHandle = item as unknown as {
          getAsFileSystemHandle(): Promise<FileSystemDirectoryHandle>
        }
        resolve(withHandle.getAsFileSystemHandle())
      })
    })
  })
  const hand = await context.newCDPSession(page)
  const data = { items: [], files: [file], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await hand.send('Input.dispatchDragEvent', { type, x: 20, y: 20, data })
  }
}

/** Opens the drop and reads objects; returns their types, or the error. */
function readDropped(page: Page, ids: readonly string[]) {
  return page.evaluate(async (ids) => {
    const stage = window as unknown as Stage
    const handle = await stage.dropped
    try {
      stage.repo ??= await stage.packlens.open(handle, { memory: 1 << 20 })
      const types = []
      for (const id of ids) types.push((await stage.repo.read(id)).type)
      return types
    } catch (error) {
      const { code, message, cause } = error as Error & { code: string; cause: Error }
      return { code, message, cause: cause?.name }
    }
  }, ids)
}

const types = main.objects.map(({ type }) => type)

test('A dropped folder is read, in a page and in a worker', async () => {
  const page = await openPage()
  await drop(page, repository)
  expect(await readDropped(page, oids)).toEqual(types)
  const inWorker = page.evaluate(
    async ([module, ids]) => {
      const source = `import { open } from '${module}'
        const read = async ([handle, ids]) => {
          const file = await handle.getFileHandle('HEAD')
          const refusal = await file.createSyncAccessHandle().catch(({ name }) => name)
          const repo = await open(handle)
          const types = []
          for (const id of ids) types.push((await repo.read(id)).type)
          return { refusal, types }
        }
        onmessage = ({ data }) => read(data).catch(({ message }) => message).then((answer) => postMessage(answer))`
      const worker = new Worker(
        URL.createObjectURL(new Blob([source], { type: 'text/javascript' })),
        { type: 'module' },
      )
      worker.postMessage([await (window as unknown as Stage).dropped, ids])
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data)
        worker.onerror = ({ message }) => reject(new Error(message))
      })
    },
    [`${url}index.js`, oids] as const,
  )
  expect(await inWorker).toEqual({ refusal: 'InvalidStateError', types })
  await page.close()
})

test('A folder without permission is an error that says what to do', async () => {
  const page = await openPage()
  await drop(page, repository)
  expect(await readDropped(page, oids.slice(0, 1))).toEqual(types.slice(0, 1))
  await page.evaluate(async () => {
    const handle = await (window as unknown as Stage).dropped
    await new Promise((resolve, reject) => {
      const opening = indexedDB.open('handles', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('all')
      opening.onerror = reject
      opening.onsuccess = () => {
        const saving = opening.result.transaction('all', 'readwrite')
        saving.objectStore('all').put(handle, 'dropped')
        saving.oncomplete = resolve
      }
    })
  })
  // A permission ends with its last page, and the stored handle stays.
  await page.close()
  const later = await openPage()
  await later.evaluate(async () => {
    const stage = window as unknown as Stage
    stage.dropped = new Promise((resolve, reject) => {
      const opening = indexedDB.open('handles', 1)
      opening.onerror = reject
      opening.onsuccess = () => {
        const getting = opening.result.transaction('all').objectStore('all').get('dropped')
        getting.onsuccess = () => resolve(getting.result)
      }
    })
  })
  const refusal = await readDropped(later, oids)
  expect(refusal).toMatchObject({ code: 'BAD_INPUT', cause: 'NotAllowedError' })
  expect(refusal).toHaveProperty('message', expect.stringContaining('requestPermission()'))
  await later.close()
})

test('A pack that was rewritten on disk is CHANGED, in a folder and as a file', async () => {
  const page = await openPage()
  const inFolder = copyOf(repository)
  await drop(page, inFolder.copy)
  const packed = async () => readDropped(page, oids)
  expect(await readDropped(page, oids.slice(0, 1))).toEqual(types.slice(0, 1))
  for (const file of inFolder.packs) writeFileSync(file, 'something else')
  expect(await packed()).toMatchObject({ code: 'CHANGED', cause: 'NotReadableError' })

  const asFiles = copyOf(repository)
  await page.locator('input').setInputFiles(asFiles.packs)
  await page.evaluate(async () => {
    const stage = window as unknown as Stage
    const files = Array.from(document.querySelector('input')?.files ?? [])
    const named = (end: string) => files.find(({ name }) => name.endsWith(end)) as File
    const packs = [{ pack: named('.pack'), idx: named('.idx') }]
    stage.repo = await stage.packlens.open({ packs }, { memory: 1 << 20 })
  })
  expect(await readDropped(page, oids.slice(0, 1))).toEqual(types.slice(0, 1))
  for (const file of asFiles.packs) writeFileSync(file, 'something else')
  expect(await packed()).toMatchObject({ code: 'CHANGED', cause: 'NotReadableError' })
  await page.close()
})
