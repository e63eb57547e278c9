/** Makes a repository with a long history, by git. */
import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { git } from './many-objects.ts'

const START = 1_400_000_000

/**
 * Returns the git directory. Each commit is a minute younger than the one before; a tenth
 * of them are merges. The pack has the newest first, as git repacks it.
 */
export function manyCommits(count: number): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-commits-'))
  git(folder, ['init', '--quiet', '--bare', '--initial-branch=main'])
  const commits = Array.from({ length: count }, (_, at) => commitOf(at))
  git(folder, ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], commits.join(''))
  git(folder, ['-c', 'pack.threads=1', 'repack', '-adfq', '--window=2'])
  return folder
}

function commitOf(at: number): string {
  const by = `A U Thor <author@example.com> ${START + at * 60} +0000`
  const message = `Change ${at}\n`
  const lines = [
    'commit refs/heads/main',
    `mark :${at + 1}`,
    `author ${by}`,
    `committer ${by}`,
    `data ${message.length}\n${message}`,
  ]
  if (at > 0) lines.push(`from :${at}`)
  if (at > 20 && at % 10 === 0) lines.push(`merge :${at - 15}`)
  if (at % 1000 === 0) lines.push('M 100644 inline file', `data ${message.length}\n${message}`)
  return `${lines.join('\n')}\n`
}
