// Checks and installs the tools that a build needs.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { recall, remember } from './fingerprint.mjs'
import { inRoot, modifiedAt, onWindows, root, wasmTarget } from './paths.mjs'
import { note } from './report.mjs'
import { Failure, npm, outputOf, run } from './shell.mjs'

const oldestNode = [20, 19]

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

/** Installs the packages in the lock file of a folder, unless they are installed. */
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
  const oldest = oldestRust()
  if (isOlder(number, oldest.split('.').map(Number))) {
    throw new Failure(
      `Rust ${oldest} or newer is needed, this is ${number}: run 'rustup update stable'`,
    )
  }
}

/** Returns the version of Rust that the workspace requires. */
function oldestRust() {
  return /^rust-version = "(.*)"$/m.exec(readFileSync(inRoot('Cargo.toml'), 'utf8'))[1]
}

/**
 * Cargo links programs that run during the build, such as the bindings tool, with a C
 * compiler's linker. An empty crate shows whether it can, whatever its configuration says.
 */
export function checkLinker() {
  const rust = outputOf('rustc', ['--version', '--verbose'])
  if (recall('linker').rust === rust) return
  const folder = inRoot('target', 'links')
  mkdirSync(path.join(folder, 'src'), { recursive: true })
  const manifest = path.join(folder, 'Cargo.toml')
  writeFileSync(manifest, '[package]\nname = "links"\nedition = "2021"\n\n[workspace]\n')
  writeFileSync(path.join(folder, 'src', 'main.rs'), 'fn main() {}\n')
  const args = ['build', '--offline', '--quiet', '--manifest-path', manifest]
  const env = { ...process.env, CARGO_TARGET_DIR: path.join(folder, 'target') }
  const { status, stderr } = spawnSync('cargo', args, { cwd: root, encoding: 'utf8', env })
  if (status !== 0) {
    const why = /^error: (.*)$/m.exec(stderr ?? '')?.[1] ?? `cargo ended with ${status}`
    throw new Failure(`Rust cannot link a program (${why}). ${linkerAdvice()}`)
  }
  remember('linker', { rust })
}

function linkerAdvice() {
  if (process.platform === 'darwin') return `Install Apple's tools: xcode-select --install`
  if (onWindows) {
    return `Install the Visual Studio Build Tools, with 'Desktop development with C++': https://visualstudio.microsoft.com/visual-cpp-build-tools/`
  }
  return `Install a C compiler: 'apt-get install build-essential' on Debian and Ubuntu, 'dnf install gcc' on Fedora, 'pacman -S base-devel' on Arch, 'apk add build-base' on Alpine`
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

/** Installs a toolchain in addition to the default one. */
export async function addToolchain(name) {
  if (outputOf('rustup', ['run', name, 'rustc', '--version']) !== null) return
  await rustup(['toolchain', 'install', name, '--profile', 'minimal'], `Rust ${name}`)
}

/** Installs a command of cargo from its crate. */
export async function addCargoTool(command, crate) {
  if (outputOf('cargo', [command, '--version']) !== null) return
  note(`${crate} (cargo install ${crate})`)
  await run('cargo', ['install', crate, '--locked'])
}

/** The minimal rustup profile lacks both components. */
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
