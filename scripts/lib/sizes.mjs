// How large the module is that a page has to fetch.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { distDir } from './paths.mjs'

export function printSizes() {
  const bytes = readFileSync(path.join(distDir, 'wasm', 'packlens_bg.wasm'))
  const sizes = [bytes, gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes)].map(
    ({ length }) => length.toLocaleString('en'),
  )
  console.log(`packlens_bg.wasm: ${sizes[0]} bytes, gzip ${sizes[1]}, brotli ${sizes[2]}`)
}
