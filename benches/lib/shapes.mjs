// Packs of several shapes, made from one repository: speed depends on how long the chains of
// deltas are, and on where their entries lie.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { filesUnder, fingerprint } from '../../scripts/lib/fingerprint.mjs'
import { git } from '../../scripts/lib/git.mjs'
import { targetDir } from '../../scripts/lib/paths.mjs'
import { Failure } from '../../scripts/lib/shell.mjs'

/** How each shape is made of a repository; `served` is the repository as it is. */
export const shapes = {
  served: {
    about: 'as the repository is: after a clone, the pack that its host made',
  },
  repacked: {
    about: 'git repack -adf --depth=50',
    make: (from, to) => cloned(from, to, ['--depth=50']),
  },
  serving: {
    about: 'git repack -adf --path-walk --depth=12 (git 2.49 or newer)',
    make: (from, to) => cloned(from, to, ['--path-walk', '--depth=12']),
  },
  sha256: {
    about: 'the same history with SHA-256 ids, by git fast-export and git repack -adf',
    make: imported,
  },
}

/** Returns the git directory of a repository in a shape. It is made once and kept in `target`. */
export async function inShape(gitDir, shape) {
  const { about, make } = shapes[shape]
  if (!make) return gitDir
  const from = path.resolve(gitDir)
  const packs = fingerprint(filesUnder(path.join(from, 'objects', 'pack')))
  const folder = path.join(targetDir, 'benches', 'shapes')
  const place = path.join(folder, `${shape}-${packs.slice(0, 16)}.git`)
  if (existsSync(place)) return place
  mkdirSync(folder, { recursive: true })
  const partial = `${place}.partial`
  rmSync(partial, { recursive: true, force: true })
  console.log(`making a pack, which can take minutes: ${about}`)
  await make(from, partial)
  renameSync(partial, place)
  return place
}

function cloned(from, to, options) {
  git(['clone', '--quiet', '--mirror', '--local', from, to])
  repack(to, options)
}

async function imported(from, to) {
  git(['init', '--quiet', '--bare', '--object-format=sha256', to])
  // What is signed by SHA-1 ids would not be true of others.
  const flags = ['--all', '--signed-tags=strip', '--tag-of-filtered-object=drop']
  const reader = spawn('git', ['-C', from, 'fast-export', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const writer = spawn('git', ['-C', to, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const ends = Promise.all([reader, writer].map((child) => once(child, 'exit')))
  await pipeline(reader.stdout, writer.stdin).catch(() => {})
  if ((await ends).some(([code]) => code !== 0)) {
    throw new Failure('git fast-export or git fast-import failed')
  }
  git(['-C', to, 'symbolic-ref', 'HEAD', git(['-C', from, 'symbolic-ref', 'HEAD']).trim()])
  repack(to, [])
}

function repack(gitDir, options) {
  git(['-C', gitDir, '-c', 'repack.writeBitmaps=false', 'repack', '-adfq', ...options])
}
