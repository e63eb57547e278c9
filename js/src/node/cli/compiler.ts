/** How the WebAssembly module is compiled for a command that is over soon. */
import { setFlagsFromString } from 'node:v8'

/** The major versions of V8 in Node 20, 22 and 24, which know the flag. */
const KNOWN = [11, 12, 13]

/**
 * Has V8 compile with its quick compiler for longer: the other takes a third of
 * the time that `cat-file -p` of one object takes from start to end.
 */
export function compileQuickly(): void {
  const major = Number.parseInt(process.versions.v8, 10)
  if (KNOWN.includes(major)) setFlagsFromString('--wasm-tiering-budget=100000000')
}
