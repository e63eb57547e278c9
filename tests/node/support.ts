/** The paths of the fixtures, and git's answers about them. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Expected } from '../support/expected.ts'

export { codeOf, collect, errorOf } from '../support/asking.ts'
export type { Expected, ExpectedObject } from '../support/expected.ts'

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

/** Returns the folder of a fixture, to pass to `open`. */
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
export const whole = fixtures.filter(({ name }) => !name.endsWith('-linked'))

/** Returns the paths of all files below a folder, components joined by `/`. */
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
