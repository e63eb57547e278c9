// What the first page of the viewer downloads, without the modules of packlens.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { targetDir } from '../../scripts/lib/paths.mjs'

const folder = path.join(targetDir, 'demo')

/** The most bytes after gzip: the page, its script and its styles. */
const MOST = 60_000

test('the first page is light', () => {
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="\.\/([^"]+\.(?:js|css))"/g)].map(
    ([, name]) => name,
  )
  // The language is a script of its own, requested together with the other one.
  expect(files.map((name) => path.extname(name ?? '')).sort()).toEqual(['.css', '.js', '.js'])
  const sizes = files.map((name) => gzipSync(readFileSync(path.join(folder, name ?? ''))).length)
  expect(sizes.reduce((sum, size) => sum + size, gzipSync(page).length)).toBeLessThan(MOST)
})
