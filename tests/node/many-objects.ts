/** Makes a repository of many small objects, a third of them deltas, by git. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Returns the git directory, and the path of the pack without its extension. */
export function manyObjects(count: number): { folder: string; stem: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-many-'))
  git(folder, ['init', '--quiet', '--bare'])
  const blobs = Array.from({ length: count }, (_, at) => blob(textOf(at)))
  git(folder, ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], blobs.join(''))
  const packs = path.join(folder, 'objects', 'pack')
  const name = readdirSync(packs).find((file) => file.endsWith('.pack')) ?? ''
  return { folder, stem: path.join(packs, name.slice(0, -5)) }
}

/** Three in a row are similar: fast-import makes deltas against the previous blob. */
function textOf(at: number): string {
  const lines = Array.from({ length: 8 }, (_, line) => `${Math.floor(at / 3) * 7919 + line}\n`)
  return `${lines.join('')}${at}\n`
}

function blob(text: string): string {
  return `blob\ndata ${text.length}\n${text}\n`
}

export function git(folder: string, args: readonly string[], input = ''): string {
  const maxBuffer = 1 << 26
  const done = spawnSync('git', ['-C', folder, ...args], { input, encoding: 'utf8', maxBuffer })
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`)
  return done.stdout
}
