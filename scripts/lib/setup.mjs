// What has to be on the machine before anything can be built.
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { modifiedAt, root, wasmTarget } from './paths.mjs'
import { note } from './report.mjs'
import { Failure, npm, outputOf, run } from './shell.mjs'

const oldestNode = [20, 19]
const oldestRust = [1, 85]

export function checkNode() {
  if (isOlder(process.versions.node, oldestNode)) {
    throw new Failure(
      `Node ${oldestNode.join('.')} or newer is needed, this is ${process.versions.node}: see https://nodejs.org`,
    )
  }
}

export function installNpmPackages() {
  return installInto(root)
}

/** Installs what the lock file of a folder names, unless it is there. */
export async function installInto(folder, command = ['ci']) {
  const installed = modifiedAt(path.join(folder, 'node_modules', '.package-lock.json'))
  if (installed > 0 && installed >= modifiedAt(path.join(folder, 'package-lock.json'))) return
  note(`npm packages (npm ${command[0]}${folder === root ? '' : ` in ${path.basename(folder)}`})`)
  await npm([...command, '--prefix', folder])
}

export function checkRust() {
  const version = outputOf('rustc', ['--version']) ?? rustOutsidePath()
  if (version === null) {
    throw new Failure(
      'Rust is needed: install it from https://rustup.rs, open a new terminal and try again',
    )
  }
  const number = version.split(' ')[1]
  if (isOlder(number, oldestRust)) {
    throw new Failure(
      `Rust ${oldestRust.join('.')} or newer is needed, this is ${number}: run 'rustup update stable'`,
    )
  }
}

/** A terminal opened before rustup was installed does not have cargo on its PATH. */
function rustOutsidePath() {
  const cargoHome = process.env.CARGO_HOME || path.join(homedir(), '.cargo')
  process.env.PATH = `${path.join(cargoHome, 'bin')}${path.delimiter}${process.env.PATH}`
  return outputOf('rustc', ['--version'])
}

export async function addRustTargets(targets = [wasmTarget]) {
  const missing = targets.filter((target) => !hasRustTarget(target))
  if (missing.length === 0) return
  await rustup(['target', 'add', ...missing], `Rust for ${missing.join(' and ')}`)
}

function hasRustTarget(target) {
  const folder = outputOf('rustc', ['--print', 'target-libdir', '--target', target])
  return folder !== null && existsSync(folder) && readdirSync(folder).length > 0
}

/** Installs a toolchain beside the one that all else uses. */
export async function addToolchain(name) {
  if (outputOf('rustup', ['run', name, 'rustc', '--version']) !== null) return
  await rustup(['toolchain', 'install', name, '--profile', 'minimal'], `Rust ${name}`)
}

/** Installs a command of cargo from the crate that has it. */
export async function addCargoTool(command, crate) {
  if (outputOf('cargo', [command, '--version']) !== null) return
  note(`${crate} (cargo install ${crate})`)
  await run('cargo', ['install', crate, '--locked'])
}

/** The minimal rustup profile has neither. */
export async function addRustComponents() {
  const missing = [
    ['clippy', 'clippy'],
    ['rustfmt', 'fmt'],
  ].filter(([, command]) => outputOf('cargo', [command, '--version']) === null)
  if (missing.length === 0) return
  const names = missing.map(([component]) => component)
  await rustup(['component', 'add', ...names], names.join(' and '))
}

async function rustup(args, what) {
  note(`${what} (rustup ${args.join(' ')})`)
  if (outputOf('rustup', ['--version']) === null) {
    throw new Failure(
      `${what} is missing and there is no rustup to add it: install it as you installed Rust, or install Rust from https://rustup.rs`,
    )
  }
  await run('rustup', args)
}

function isOlder(version, [major, minor]) {
  const [hasMajor = 0, hasMinor = 0] = version.split('.').map(Number)
  return hasMajor < major || (hasMajor === major && hasMinor < minor)
}
