/** A bundled page that reads in a worker. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { build, preview } from 'vite'
import { expect, test } from 'vitest'
import { inRoot, targetDir } from '../../scripts/lib/paths.mjs'
import { packOf, useViewer } from './viewer.ts'

const main = JSON.parse(
  readFileSync(inRoot('tests', 'fixtures', 'expected', 'main.json'), 'utf8'),
) as {
  objects: { oid: string; type: string; size: number }[]
}
const outDir = path.join(targetDir, 'worker-page')
const viewer = useViewer({ serve })

async function serve() {
  const root = inRoot('tests', 'demo', 'worker-page')
  await build({ root, base: './', build: { outDir, emptyOutDir: true }, logLevel: 'error' })
  const server = await preview({
    root,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
    logLevel: 'silent',
  })
  const url = server.resolvedUrls?.local[0]
  if (!url) throw new Error('the server has no address')
  return { url, close: () => server.close() }
}

declare const read: (pack: string, idx: string, spec: string) => Promise<unknown>

test('A page built with Vite reads in the worker, which is bundled with all modules', async () => {
  const names = readdirSync(path.join(outDir, 'assets')).sort()
  expect(names.filter((name) => name.endsWith('.wasm')).map((name) => name.split('-')[0])).toEqual([
    ...['packlens_bg', 'packlens_reader', 'packlens_rest'],
  ])
  const page = await viewer.open()
  const loaded = async () => {
    const entries = await page.evaluate(() => performance.getEntriesByType('resource'))
    return entries.map(({ name }) => path.posix.basename(name))
  }
  // Neither the worker nor the module is loaded before the first call.
  expect((await loaded()).filter((name) => name.endsWith('.js'))).toHaveLength(1)
  const { pack, idx } = packOf('main')
  const given = [pack, idx].map((file) => readFileSync(file, 'base64'))
  const object = main.objects.find(({ type }) => type === 'commit')
  const found = await page.evaluate(
    ([pack = '', idx = '', spec = '']) => read(pack, idx, spec),
    [...given, object?.oid ?? ''],
  )
  expect(found).toEqual({ oid: object?.oid, size: object?.size })
  await expect.poll(() => page.workers().length).toBe(0)
})
