/** Worktrees for tests of the index: made by git, with files in folders. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'advice.addEmbeddedRepo=false']

/** Runs git in a worktree; a byte of the answer is a character. */
export function gitIn(worktree: string, ...args: string[]): string {
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
  return execFileSync('git', [...IDENTITY, ...args], { cwd: worktree, stdio }).toString('latin1')
}

/** Writes a file; makes the folders above it. */
export function write(worktree: string, file: string, text: string, mode = 0o644): void {
  const place = path.join(worktree, file)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, text, { mode })
}

/** Makes a worktree with a commit: files, one that can be run, a submodule without its files. */
export function madeWorktree(place: string, ...init: string[]): string {
  mkdirSync(place)
  gitIn(place, 'init', '-q', '--initial-branch=main', ...init)
  for (const file of ['a.txt', 'b/c.txt', 'b/d/e.txt', 'b/d/f.txt', 'é ü.txt', 'x/y/z.txt']) {
    write(place, file, `${file}\n`)
  }
  for (let at = 0; at < 100; at++) write(place, `many/${at}`, `${at % 7}`)
  write(place, 'run.sh', 'true\n', 0o755)
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'first')
  const id = gitIn(place, 'rev-parse', 'HEAD').trim()
  gitIn(place, 'update-index', '--add', '--cacheinfo', `160000,${id},sub`)
  gitIn(place, 'commit', '-q', '-m', 'a submodule')
  return place
}

/** Makes a work tree whose files are older than its index, so that their times are trusted. */
export function settledWorktree(place: string, files: number): string {
  mkdirSync(place)
  gitIn(place, 'init', '-q', '--initial-branch=main')
  for (let at = 0; at < files; at++) {
    write(place, `${at}.txt`, `${at}\n`)
    utimesSync(path.join(place, `${at}.txt`), 1_000_000_000, 1_000_000_000)
  }
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'first')
  return place
}

/** Leaves a path in conflict: each branch has another content. */
export function conflicted(place: string): string {
  gitIn(place, 'checkout', '-q', '-b', 'theirs')
  write(place, 'a.txt', 'theirs\n')
  gitIn(place, 'commit', '-q', '-a', '-m', 'theirs')
  gitIn(place, 'checkout', '-q', 'main')
  write(place, 'a.txt', 'ours\n')
  gitIn(place, 'commit', '-q', '-a', '-m', 'ours')
  try {
    gitIn(place, 'merge', '-q', 'theirs')
  } catch {
    return place
  }
  throw new Error('the merge has no conflict')
}
