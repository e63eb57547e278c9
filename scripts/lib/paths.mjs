// The paths that all scripts use.
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..')

/** The output folder of cargo: `run` in shell.mjs passes it to cargo. */
export const targetDir = path.resolve(root, process.env.CARGO_TARGET_DIR || 'target')

/** Downloads that are neither npm dependencies nor committed: `npm ci` does not delete them. */
export const cacheDir = path.join(root, 'target', 'cache')

export const glueDir = path.join(root, 'js', 'src', 'wasm')
export const distDir = path.join(root, 'dist')
/** The viewer, which `packlens serve` serves; removed whenever the package is built anew. */
export const viewerArchive = path.join(distDir, 'node', 'cli', 'viewer.json.br')
export const wasmTarget = 'wasm32-unknown-unknown'
export const wasiTarget = 'wasm32-wasip1'
export const onWindows = process.platform === 'win32'

export function inRoot(...parts) {
  return path.join(root, ...parts)
}

/** Returns the time a file was written, 0 for a missing file. */
export function modifiedAt(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0
}
