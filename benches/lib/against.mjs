// Builds packlens of another commit, once, in a folder of its own.
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { git } from '../../scripts/lib/git.mjs'
import { targetDir } from '../../scripts/lib/paths.mjs'
import { Failure, outputOf, run } from '../../scripts/lib/shell.mjs'
import { packlens } from '../engines/packlens.mjs'

/**
 * Returns the engine of a revision, by default of the last tag; `null` if there
 * is no tag.
 */
export async function addVersion(revision) {
  const expected = revision ?? lastTag()
  if (!expected) {
    console.log('no earlier packlens: there is no tag; give --against REV')
    return null
  }
  const commit = git(['rev-parse', '--verify', `${expected}^{commit}`]).trim()
  const folder = path.join(targetDir, 'benches', 'versions', commit)
  if (!existsSync(folder)) await build(commit, folder)
  const engine = await packlens(`packlens@${expected}`, folder, true)
  return { ...engine, version: () => `${engine.version()}, ${commit}` }
}

function lastTag() {
  return outputOf('git', ['describe', '--tags', '--abbrev=0'])
}

async function build(commit, folder) {
  console.log(`building packlens of ${commit.slice(0, 9)}`)
  const tree = `${folder}.tree`
  mkdirSync(path.dirname(folder), { recursive: true })
  rmSync(tree, { recursive: true, force: true })
  git(['worktree', 'prune'])
  git(['worktree', 'add', '--quiet', '--detach', tree, commit])
  try {
    // Outside of this checkout's outputs, which must not be overwritten.
    const env = { CARGO_TARGET_DIR: path.join(tree, 'target') }
    await run(process.execPath, ['scripts/run.mjs', 'build'], { cwd: tree, env })
    if (!existsSync(path.join(tree, 'dist'))) throw new Failure(`${commit} makes no package`)
    // An existing folder is complete.
    const made = path.join(tree, 'target', 'made')
    for (const part of ['dist', 'package.json']) {
      cpSync(path.join(tree, part), path.join(made, part), { recursive: true })
    }
    renameSync(made, folder)
  } finally {
    git(['worktree', 'remove', '--force', tree])
  }
}
