// What engines written in JavaScript share.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const child = fileURLToPath(new URL('child.mjs', import.meta.url))

/** A process of Node's in which the functions of a file in this folder do the job. */
export function javascript(file, job, task, more = {}) {
  const { oids, scratch, ...plain } = task
  const module = new URL(file, import.meta.url).href
  return { command: [process.execPath, child, module, JSON.stringify({ ...plain, job, ...more })] }
}

/** The version of a package of benches/package.json, or why there is none. */
export function benchPackage(name) {
  const file = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  if (!existsSync(file)) return { missing: 'run npm ci in benches/' }
  return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`
}
