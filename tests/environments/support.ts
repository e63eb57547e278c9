/** Makes small projects with the published package, and the answers that they must give. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { givePackage, projectsDir, toolsDir } from '../../scripts/lib/environments.mjs'
import { fixture, folderOf } from '../node/support.ts'

const of = fixture('tiny')
const blob = 'HEAD:short.txt'

/**
 * What each project reads of the fixture: a commit, its tree, a blob of it, and the name of the
 * commit, for which the rest of the full module is loaded.
 */
export interface Answer {
  readonly commit: string
  readonly message: string
  readonly tree: string
  readonly names: readonly string[]
  readonly blob: string
  readonly text: string
  readonly described: string
}

/** The answers of git. */
export const expected: Answer = {
  commit: of.head.oid as string,
  message: 'Tiny\n',
  tree: of.resolve['HEAD^{tree}'] as string,
  names: ['long.txt', 'longer.txt', 'short.txt'],
  blob: oidOf(blob),
  text: 'hi\n',
  described: (of.head.oid ?? '').slice(0, 7),
}

function oidOf(spec: string): string {
  const line = Buffer.from(of.lsTree.HEAD?.flat ?? '', 'base64').toString()
  const [, oid] = line.match(new RegExp(`([0-9a-f]{40}) +\\d+\t${spec.split(':')[1]}\0`)) ?? []
  if (!oid) throw new Error(`git lists no ${spec}`)
  return oid
}

/** A module with `readAll(repo)`, which returns an {@link Answer}. */
const readAll = `
export async function readAll(repo) {
  const commit = await repo.read('HEAD')
  const tree = await repo.read('HEAD^{tree}')
  const blob = await repo.read('${blob}')
  const described = String(await repo.describe('HEAD', { always: true }))
  repo.close()
  return {
    commit: commit.oid,
    message: commit.message,
    tree: tree.oid,
    names: tree.entries.map(({ name }) => name),
    blob: blob.oid,
    text: new TextDecoder().decode(blob.data),
    described,
  }
}
`

/** A module with the packs of the fixture and its refs, as `open` accepts them. */
function repositoryModule(): string {
  const folder = path.join(folderOf(of), 'objects', 'pack')
  const names = readdirSync(folder)
  const [pack, idx] = ['.pack', '.idx'].map((ending) => {
    const name = names.find((candidate) => candidate.endsWith(ending)) ?? ''
    return `bytes('${readFileSync(path.join(folder, name), 'base64')}')`
  })
  return `
const bytes = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
export const repository = {
  packs: [{ pack: ${pack}, idx: ${idx} }],
  refs: { HEAD: '${expected.commit}' },
}
`
}

/** Makes a project of `files`, by name, with the package and a copy of the fixture. */
export function makeProject(name: string, files: Readonly<Record<string, string>>): string {
  const folder = path.join(projectsDir, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  givePackage(folder)
  cpSync(folderOf(of), path.join(folder, 'repository.git'), { recursive: true })
  const settings = { name, private: true, type: 'module', dependencies: { packlens: '*' } }
  const all = {
    'package.json': JSON.stringify(settings),
    'read-all.js': readAll,
    'repository.js': repositoryModule(),
    ...files,
  }
  for (const [file, text] of Object.entries(all)) writeFileSync(path.join(folder, file), text)
  return folder
}

/** Returns the path of a file of a tool's package. */
export function tool(...parts: readonly string[]): string {
  return path.join(toolsDir, 'node_modules', ...parts)
}

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program in a project. */
export function run(
  folder: string,
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = { ...process.env, ...variables }
  const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { stdout: '', stderr: '' }
  for (const of of ['stdout', 'stderr'] as const) {
    child[of].setEncoding('utf8').on('data', (text) => {
      texts[of] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status) => resolve({ status, ...texts }))
  })
}
