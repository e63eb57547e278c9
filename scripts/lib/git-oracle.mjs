// Asks git about a repository, and makes repositories that borrow its objects.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Runs git; a byte of a line is a character. Throws unless git exits with 0 or 1. */
export function run(gitDir, args, input) {
  const env = { ...process.env, GIT_NO_REPLACE_OBJECTS: '1' }
  const options = { maxBuffer: 1 << 30, input, env }
  const { status, stdout, stderr } = spawnSync('git', ['--git-dir', gitDir, ...args], options)
  if (status === null || status > 1) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return { status, lines: stdout.toString('latin1').split('\n').slice(0, -1) }
}

/** Runs git and returns the lines that it prints; throws unless it exits with 0. */
export function git(gitDir, args, input) {
  const { status, lines } = run(gitDir, args, input)
  if (status !== 0) throw new Error(`git ${args.join(' ')} exits with ${status}`)
  return lines
}

/** Makes a repository at `gitDir` with the refs of `source`, which borrows all its objects. */
export function makeBorrowing(source, gitDir) {
  const format = git(source, ['rev-parse', '--show-object-format'])[0]
  git(gitDir, ['init', '-q', '--bare', `--object-format=${format}`, gitDir])
  mkdirSync(join(gitDir, 'objects', 'info'), { recursive: true })
  const objects = resolve(git(source, ['rev-parse', '--absolute-git-dir'])[0], 'objects')
  writeFileSync(join(gitDir, 'objects', 'info', 'alternates'), `${objects}\n`)
  const refs = git(source, ['for-each-ref', '--format=create %(refname) %(objectname)'])
  git(gitDir, ['update-ref', '--stdin'], `${refs.join('\n')}\n`)
  git(gitDir, ['update-ref', '--no-deref', 'HEAD', git(source, ['rev-parse', 'HEAD'])[0]])
}

/** Returns the names of the refs that lead to commits. */
export function refsOfCommits(gitDir) {
  const format = '--format=%(objecttype) %(*objecttype) %(refname)'
  const isCommit = /^commit|^tag commit/
  const lines = git(gitDir, ['for-each-ref', format]).filter((line) => isCommit.test(line))
  return lines.map((line) => line.split(' ').at(-1))
}
