// Runs a wasm32-wasip1 program on Node's own WASI: cargo's runner for the core's
// tests with a 32-bit usize. All of the file system is lent, as for a native test.
import { readFile } from 'node:fs/promises'
import { WASI } from 'node:wasi'

const [file, ...args] = process.argv.slice(2)
const wasi = new WASI({
  version: 'preview1',
  args: [file, ...args],
  env: process.env,
  preopens: { '/': '/' },
})
const module = await WebAssembly.compile(await readFile(file))
const instance = await WebAssembly.instantiate(module, wasi.getImportObject())
process.exitCode = wasi.start(instance)
