import { copyFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build } from 'esbuild'

await build({
  entryPoints: ['extension.ts'],
  outfile: 'out/extension.js',
  bundle: true,
  minify: true,
  // The extension host of a browser runs CommonJS, and has `vscode`.
  format: 'cjs',
  external: ['vscode'],
})
const { resolve } = createRequire(import.meta.url)
for (const name of ['packlens_bg.wasm', 'packlens_rest.wasm']) {
  copyFileSync(resolve(`packlens/${name}`), `out/${name}`)
}
