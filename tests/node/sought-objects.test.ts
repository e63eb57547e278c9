/** `--find-object`: git's answers over a made history with directories and a merge. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-sought-objects-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Commits by their files; one of them is a submodule's. */
const STREAM = `${['one', 'two', 'three'].map(blobOf).join('')}${commitOf(1, 'base', ':11', 'a.txt')}${commitOf(
  2,
  'moved',
  ':12',
  'd/b.txt',
)}M 160000 ${'1'.repeat(40)} sub
${commitOf(3, 'gone', ':13', 'a.txt')}D d
${commitOf(4, 'again', ':12', 'd/e/c.txt')}reset refs/heads/side
from :2

${commitOf(5, 'side', ':11', 'side.txt', 'side', ':2')}${commitOf(6, 'merge', ':13', 'side.txt', 'main', ':4', ':5')}done
`

function blobOf(text: string, at: number): string {
  return `blob\nmark :${11 + at}\ndata ${text.length + 1}\n${text}\n\n`
}

function commitOf(
  mark: number,
  message: string,
  blob: string,
  file: string,
  branch = 'main',
  parent = '',
  other = '',
): string {
  const who = `A <a@example.com> ${1_700_000_000 + mark} +0000`
  const parents = (parent && `from ${parent}\n`) + (other && `merge ${other}\n`)
  const head = `commit refs/heads/${branch}\nmark :${mark}\ncommitter ${who}\n`
  return `${head}data ${message.length}\n${message}\n${parents}M 100644 ${blob} ${file}\n`
}

beforeAll(() => {
  git(path.join(folder, '.git'), ['init', '-q', '-b', 'main', folder])
  git(path.join(folder, '.git'), ['fast-import', '--quiet', '--done'], STREAM)
})

const [BASE, MOVED, LAST] = ['main~3', 'main~2', 'main~1']

test.each([
  `log --format=%s --find-object=${BASE}:a.txt main`,
  `log --oneline --find-object=${MOVED}:d/b.txt --raw --stat -p main`,
  `log --oneline --find-object=${MOVED}:d -t --raw main`,
  `log --oneline --find-object=${MOVED}:d --stat main`,
  `log --oneline --find-object=${LAST}:d/e --name-only main`,
  `log --format=%s --find-object=main:sub --raw main`,
  `log -m --oneline --find-object=${BASE}:a.txt --name-status main`,
  `log --oneline --find-object=${BASE}:a.txt --find-object=main:side.txt main`,
  `log --oneline --diff-filter=A --find-object=${MOVED}:d/b.txt --name-status main`,
  `log --oneline -1 --find-object=${BASE}:a.txt main -- side.txt a.txt`,
  `log --oneline --graph --find-object=${BASE}:a.txt main`,
  `log --oneline --find-object=${BASE} main`,
  `show --oneline --find-object=${BASE}:a.txt ${BASE} ${MOVED}`,
  `diff --find-object=${MOVED}:d/b.txt ${BASE} ${LAST}`,
  `diff --raw -R --find-object=${MOVED}:d ${BASE} ${MOVED}`,
  `diff --exit-code --quiet --find-object=${BASE}:a.txt ${MOVED} ${LAST}`,
  `diff --exit-code --quiet --find-object=${MOVED}:d ${LAST} main`,
  `diff-tree --find-object=${LAST}:d/e/c.txt ${BASE} ${LAST}`,
  `diff-tree -r --format=%s --find-object=${MOVED}:d/b.txt ${LAST}`,
  `diff-tree --find-object=${LAST}:d ${BASE} ${LAST}`,
  `diff-tree --quiet --find-object=${LAST}:d ${BASE} ${LAST}`,
  `diff-tree --quiet --find-object=${LAST}:d/e/c.txt ${BASE} ${LAST}`,
  `diff-tree --quiet --find-object=main:a.txt main~1 main`,
  `log --cc --find-object=main:a.txt main`,
  `log -c --stat --find-object=${BASE}:a.txt main`,
  `log --oneline --find-object=nothing main`,
  `diff --find-object=${BASE}:a.txt -Sone ${BASE} ${MOVED}`,
])('%s', (args) => {
  compareWithGit(folder, args.split(' '))
})

test.each(['log --pickaxe-all --find-object=main:a.txt main'])('does not support %s', (args) => {
  const { exit, stderr } = run(folder, args.split(' '))
  expect([exit, stderr]).toEqual([128, expect.stringContaining('does not support')])
})
