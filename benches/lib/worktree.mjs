// Makes a work tree for jobs that compare its files with its index.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { git } from '../../scripts/lib/git.mjs'

const FILES = 3500
const IN_DIRECTORY = 50

/** Of so many files one has another size, and one of the same size another content. */
const CHANGED = 175

/** Makes a work tree of files that are older than its index; returns its path. */
export function makeWorktree(place) {
  const files = Array.from({ length: FILES }, (_, at) => {
    const directory = path.join(place, `directory-${Math.floor(at / IN_DIRECTORY)}`)
    return path.join(directory, `file-${at}.txt`)
  })
  for (const file of files) mkdirSync(path.dirname(file), { recursive: true })
  const write = (file, text, time) => {
    writeFileSync(file, text)
    utimesSync(file, time, time)
  }
  const textOf = (at) => `line ${at}\n`.repeat(at % 200)
  files.forEach((file, at) => {
    write(file, textOf(at), 1_000_000_000)
  })
  git(['init', '-q', '--initial-branch=main', place])
  git(['-C', place, 'add', '.'])
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b']
  git(['-C', place, ...identity, 'commit', '-q', '-m', 'files'])
  files.forEach((file, at) => {
    if (at % CHANGED === 1) write(file, textOf(at + 1), 1_000_000_001)
    if (at % CHANGED === 2) write(file, textOf(at).toUpperCase(), 1_000_000_001)
  })
  return place
}
