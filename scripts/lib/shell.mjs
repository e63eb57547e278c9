// Runs other programs, and ends them when this process is ended.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { stdio } from './output.mjs'
import { onWindows, root, targetDir } from './paths.mjs'

/** A failure whose message is enough for the reader: printed without a stack. */
export class Failure extends Error {}

/** Overrides a user's own cargo configuration: outputs must be where the scripts look for them. */
const cargoOutput = { CARGO_TARGET_DIR: targetDir }

const children = new Set()

/** Runs a program whose output goes to that of the job; rejects when it does not end with 0. */
export function run(command, args, { env = {}, cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...cargoOutput, ...env },
      stdio: stdio(),
      shell: onWindows && command === 'npm',
    })
    children.add(child)
    child.once('error', (error) => {
      children.delete(child)
      reject(new Failure(`cannot run ${command}: ${error.message}`))
    })
    child.once('exit', (code, signal) => {
      children.delete(child)
      if (code === 0) resolve()
      else reject(new Failure(`${command} ${args.join(' ')} ended with ${signal ?? code}`))
    })
  })
}

/** Runs one of our own scripts or an npm package's command file. */
export function runNode(file, args = [], options = {}) {
  return run(process.execPath, [file, ...args], options)
}

/** Installs without touching package.json, and prints errors only. */
export function npm(args) {
  return run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'])
}

/** Installs an npm package in a folder of its own, outside of this package's dependencies. */
export async function npmInto(folder, specifier) {
  mkdirSync(folder, { recursive: true })
  // Without a package.json, npm would find this package's.
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n')
  await npm(['install', '--prefix', folder, '--no-save', specifier])
}

/** Returns the output of a program, or null when it is missing or fails. */
export function outputOf(command, args, { env = {} } = {}) {
  const own = { ...process.env, ...cargoOutput, ...env }
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: own })
  return result.status === 0 ? result.stdout.trim() : null
}

/** Ctrl-C reaches the children by the terminal; a plain `kill` reaches only this process. */
export function endChildrenOnSignals() {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.once(signal, () => {
      const running = [...children]
      if (running.length === 0) process.exit(code)
      let left = running.length
      for (const child of running) {
        child.removeAllListeners('exit')
        child.once('exit', () => {
          left -= 1
          if (left === 0) process.exit(code)
        })
        child.kill(signal)
      }
      setTimeout(() => process.exit(code), 5000).unref()
    })
  }
}
