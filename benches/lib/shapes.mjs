// Packs of several shapes, made from one repository: speed depends on how long the chains of
// deltas are, and on where their entries lie.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { filesUnder, fingerprint } from '../../scripts/lib/fingerprint.mjs'
import { git } from '../../scripts/lib/git.mjs'
import { targetDir } from '../../scripts/lib/paths.mjs'

/** The options of `git repack` that make a shape; none for the repository as it is. */
export const shapes = {
  served: {
    about: 'as the repository is: after a clone, the pack that its host made',
  },
  repacked: {
    about: 'git repack -adf --depth=50',
    options: ['--depth=50'],
  },
  serving: {
    about: 'git repack -adf --path-walk --depth=12 (git 2.49 or newer)',
    options: ['--path-walk', '--depth=12'],
  },
}

/** Returns the git directory of a repository in a shape. It is made once and kept in `target`. */
export function inShape(gitDir, shape) {
  const { options } = shapes[shape]
  if (!options) return gitDir
  const packs = fingerprint(filesUnder(path.join(path.resolve(gitDir), 'objects', 'pack')))
  const folder = path.join(targetDir, 'benches', 'shapes')
  const place = path.join(folder, `${shape}-${packs.slice(0, 16)}.git`)
  if (existsSync(place)) return place
  mkdirSync(folder, { recursive: true })
  const partial = `${place}.partial`
  rmSync(partial, { recursive: true, force: true })
  console.log(`making a pack by git repack -adf ${options.join(' ')}; this can take minutes`)
  git(['clone', '--quiet', '--mirror', '--local', path.resolve(gitDir), partial])
  const repack = ['repack', '-adfq', ...options]
  git(['-C', partial, '-c', 'repack.writeBitmaps=false', ...repack])
  renameSync(partial, place)
  return place
}
