/** Where the fixtures are, and what git says about them. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ErrorCode, ObjectType, PacklensError } from 'packlens'
import { isPacklensError } from 'packlens'

/** An object as git sees it; `disk` and `deltabase` are null if it is stored more than once. */
export interface ExpectedObject {
  readonly oid: string
  readonly type: ObjectType
  readonly size: number
  readonly sha256: string
  readonly disk: number | null
  readonly deltabase: string | null
}

export interface ExpectedRef {
  readonly name: string
  readonly oid: string
  readonly peeled: string | null
  readonly symref: string | null
}

/** What git says about a fixture: see tests/fixtures/answers.mjs. */
export interface Expected {
  readonly name: string
  readonly path: string
  readonly objectFormat: 'sha1' | 'sha256'
  readonly objects: readonly ExpectedObject[]
  readonly packOrder?: readonly string[]
  readonly refs: readonly ExpectedRef[]
  readonly head: { readonly symref: string | null; readonly oid: string | null }
  readonly resolve: Readonly<Record<string, string | null>>
  readonly resolveMore: Readonly<Record<string, string | null>>
  readonly lsTree: Readonly<Record<string, { flat: string; recursive?: string }>>
  readonly catFileP: Readonly<Record<string, string>>
}

export const root = fileURLToPath(new URL('../..', import.meta.url))
const answers = path.join(root, 'tests', 'fixtures', 'expected')

export const fixtures: readonly Expected[] = readdirSync(answers)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(path.join(answers, file), 'utf8')))

export function fixture(name: string): Expected {
  const found = fixtures.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`there is no fixture ${name}`)
  return found
}

/** The folder of a fixture, as one would give it to `open`. */
export function folderOf({ path: place }: { readonly path: string }): string {
  return path.join(root, 'target', 'fixtures', place)
}

/** The git directory of a fixture. */
export function gitDirectoryOf(of: { readonly path: string }): string {
  const folder = folderOf(of)
  const dotGit = path.join(folder, '.git')
  const stat = statSync(dotGit, { throwIfNoEntry: false })
  if (!stat) return folder
  if (stat.isDirectory()) return dotGit
  const target = /^gitdir: (.*)/.exec(readFileSync(dotGit, 'utf8'))?.[1] ?? ''
  return path.resolve(folder, target)
}

/** The fixtures whose git directory is one folder: a linked worktree has two. */
export const whole = fixtures.filter(({ name }) => name !== 'worktree-linked')

/** Paths of all files below a folder, parts joined by `/`. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort()
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The error that a call ends with; it is an error of the test if there is none. */
export async function errorOf(ask: () => unknown): Promise<PacklensError> {
  try {
    await ask()
  } catch (error) {
    if (isPacklensError(error)) return error
    throw error
  }
  throw new Error('this should have failed')
}

export async function codeOf(ask: () => unknown): Promise<ErrorCode> {
  return (await errorOf(ask)).code
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
