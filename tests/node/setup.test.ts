/** Set-up reports missing tools that it does not install. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inRoot, targetDir } from '../../scripts/lib/paths.mjs'

const floor = /^rust-version = "(.*)"$/m.exec(readFileSync(inRoot('Cargo.toml'), 'utf8'))?.[1]

mkdirSync(path.join(targetDir, 'tmp'), { recursive: true })

/** Calls a function of set-up with a PATH of one folder; returns the error message. */
function messageOf(check: string, folder: string): string {
  const setup = JSON.stringify(inRoot('scripts', 'lib', 'setup.mjs'))
  const code = `
    const { ${check} } = await import(${setup})
    try { ${check}() } catch (error) { console.log(error.message) }
  `
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    // Stamps of other runs would skip the checks.
    env: { ...process.env, PATH: folder, CARGO_TARGET_DIR: path.join(folder, 'target') },
  })
  expect(stderr).toBe('')
  return stdout.trim()
}

function newFolder(): string {
  return mkdtempSync(path.join(targetDir, 'tmp', 'set-up-'))
}

test.skipIf(process.platform === 'win32')(
  'Set-up refuses a version of Rust below that of the workspace',
  () => {
    const of = (version: string) => {
      const folder = newFolder()
      const rustc = path.join(folder, 'rustc')
      writeFileSync(rustc, `#!/bin/sh\necho 'rustc ${version} (0 2026-01-01)'\n`)
      chmodSync(rustc, 0o755)
      return messageOf('checkRust', folder)
    }
    const [major = 0, minor = 0] = (floor ?? '').split('.').map(Number)
    expect(of(`${major}.${minor - 1}.9`)).toContain(`Rust ${floor} or newer is needed`)
    expect(of(`${major}.${minor}.0`)).toBe('')
  },
)

test.skipIf(process.platform === 'win32')('Set-up names the C compiler where there is none', () => {
  const folder = newFolder()
  for (const name of ['cargo', 'rustc', 'rustup']) {
    const { stdout } = spawnSync('which', [name], { encoding: 'utf8' })
    if (stdout) symlinkSync(stdout.trim(), path.join(folder, name))
  }
  expect(messageOf('checkLinker', folder)).toMatch(/^Rust cannot link a program \(linker `.*`/)
})
