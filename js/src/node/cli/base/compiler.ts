/** Sets how V8 compiles the WebAssembly module for a command that ends soon. */
import { setFlagsFromString } from 'node:v8'

/** The major versions of V8 in Node 20, 22 and 24, which know the flags. */
const KNOWN = [11, 12, 13]

/** Bytes of a function's code that run before V8 optimizes it; its own default is 1,800,000. */
const BUDGET = 150_000_000

/**
 * Makes V8 use its quick compiler for longer: its optimizing compiler takes a third of the whole time
 * of `cat-file -p`, and of `rev-list --count` of a thousand commits. A walk over many commits soon
 * has run as much, and is optimized then: where both compilers cost as much, at some ten thousand.
 * Functions are validated as they are compiled, which few of a module's are.
 */
export function compileQuickly(): void {
  const major = Number.parseInt(process.versions.v8, 10)
  if (!KNOWN.includes(major)) return
  setFlagsFromString(`--wasm-tiering-budget=${BUDGET} --wasm-lazy-validation`)
}
