// The Rust programs of the benches, built when they are missing.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { inRoot, onWindows, targetDir } from '../../scripts/lib/paths.mjs'
import { Failure } from '../../scripts/lib/shell.mjs'

const output = path.join(targetDir, 'benches')

/** Returns the program that measures. */
export function buildSpent() {
  if (onWindows) throw new Failure('what a process took is measured on Linux and macOS only')
  const { program, reason } = buildRust('spent', 'spent')
  if (!program) throw new Failure(`benches/spent was not built: ${reason}`)
  return program
}

/** Builds a crate of benches/; returns `{ program }`, or `{ reason }`. */
export function buildRust(folder, name) {
  const manifest = inRoot('benches', folder, 'Cargo.toml')
  const args = ['build', '--release', '--quiet', '--locked', '--manifest-path', manifest]
  const env = { ...process.env, CARGO_TARGET_DIR: output }
  const { status, stderr, error } = spawnSync('cargo', args, { env, encoding: 'utf8' })
  if (status === 0) return { program: path.join(output, 'release', name) }
  return { reason: error?.message ?? stderr.trim().split('\n').slice(-3).join(' ') }
}
