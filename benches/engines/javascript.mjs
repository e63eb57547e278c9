// Shared code of the engines in JavaScript.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const child = fileURLToPath(new URL('child.mjs', import.meta.url))

/** Returns a process of Node that does the job by a file in this folder. */
export function javascript(file, job, task, more = {}) {
  const { oids, scratch, ...plain } = task
  const module = new URL(file, import.meta.url).href
  return { command: [process.execPath, child, module, JSON.stringify({ ...plain, job, ...more })] }
}

/** Returns the version of a package of benches/package.json, or why it is missing. */
export function benchPackage(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  if (!existsSync(file)) return { missing: 'run npm ci in benches/' }
  return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`
}
