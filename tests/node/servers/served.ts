/** Prepares fixtures for a server: with the lists of `git update-server-info`. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Expected, gitDirectoryOf } from '../support.ts'

/** Makes a folder of bare repositories, each a fixture's name and `.git`. */
export interface Served {
  readonly folder: string
  remove(): void
}

export function serveFixtures(fixtures: readonly Expected[], { info = true } = {}): Served {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-served-'))
  for (const of of fixtures) {
    const copy = path.join(folder, `${of.name}.git`)
    copyServed(of, copy)
    if (!info) rmSync(path.join(copy, 'info'), { recursive: true, force: true })
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Copies a fixture to a folder for a server of files. */
export function copyServed(of: Expected, copy: string): void {
  cpSync(gitDirectoryOf(of), copy, { recursive: true })
  writeServerInfo(of, copy)
  writePackList(copy)
}

/** Returns `info/refs` as git writes it, from git's answers about the refs. */
export function infoRefs(of: Expected): string {
  const lines = of.refs.flatMap(({ name, oid, peeled }) => [
    `${oid}\t${name}\n`,
    ...(peeled ? [`${peeled}\t${name}^{}\n`] : []),
  ])
  return lines.join('')
}

/** Returns `objects/info/packs` as git writes it, except for the order. */
export function packList(gitDirectory: string): string {
  const folder = path.join(gitDirectory, 'objects', 'pack')
  const packs = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.endsWith('.pack'))
    : []
  return `${packs.map((name) => `P ${name}\n`).join('')}\n`
}

function writeServerInfo(of: Expected, copy: string): void {
  mkdirSync(path.join(copy, 'info'), { recursive: true })
  writeFileSync(path.join(copy, 'info', 'refs'), infoRefs(of))
}

function writePackList(copy: string): void {
  mkdirSync(path.join(copy, 'objects', 'info'), { recursive: true })
  writeFileSync(path.join(copy, 'objects', 'info', 'packs'), packList(copy))
}
