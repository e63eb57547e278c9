// Serves the demo during development, or builds it.
import path from 'node:path'
import { makeDemoRepository } from '../demo-repository.mjs'
import { inRoot, targetDir } from './paths.mjs'
import { note } from './report.mjs'
import { runNode } from './shell.mjs'

const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js')

/** Runs until it is interrupted. `flags` are Vite's own. */
export async function serveDemo(flags) {
  note(`repository for the demo: ${await makeDemoRepository()}`)
  await runNode(vite, ['demo', '--host', '127.0.0.1', ...flags])
}

/** Builds to target/demo. */
export async function buildDemo() {
  note(`repository for the demo: ${await makeDemoRepository()}`)
  const output = ['--outDir', path.join(targetDir, 'demo'), '--emptyOutDir']
  await runNode(vite, ['build', 'demo', ...output, '--logLevel', 'warn'])
}
