/** Notes, as `git notes` lists and shows them. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, expect, test } from 'vitest'
import { gitIn, madeWorktree, write } from './made-worktree.ts'
import { codeOf, collect } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-notes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = madeWorktree(path.join(folder, 'made'))
const [commit, tree] = gitIn(place, 'rev-parse', 'HEAD', 'HEAD^{tree}').trim().split('\n')

gitIn(place, 'notes', 'add', '-m', 'about a commit', 'HEAD')
gitIn(place, 'notes', 'add', '-m', 'about a tree', 'HEAD^{tree}')
gitIn(place, 'notes', '--ref=builds', 'add', '-m', 'passed', 'HEAD~1')

/** Adds notes about `count` commits; so many that git makes directories for them. */
function addNotes(ref: string, count: number): void {
  const head = (branch: string) =>
    `commit ${branch}\nmark :MARK\ncommitter a <a@b> 0 +0000\ndata 0\n`
  const commits = Array.from({ length: count }, (_, at) => {
    return head('refs/heads/many').replace('MARK', `${at + 1}`)
  })
  const notes = commits.map((_, at) => `N inline :${at + 1}\ndata <<END\nnote ${at}\nEND\n`)
  const last = head(ref).replace('MARK', `${count + 1}`)
  const input = `${commits.join('')}${last}${notes.join('')}done\n`
  execFileSync('git', ['fast-import', '--quiet', '--done'], { cwd: place, input })
}

/** Compares the list, and some notes, with git's. */
async function compare(ref: string, least: number): Promise<void> {
  const name = ref.slice('refs/notes/'.length)
  const listed = gitIn(place, 'notes', `--ref=${name}`, 'list').trim().split('\n')
  expect(listed.length).toBeGreaterThanOrEqual(least)
  using repo = openSync(place)
  await using promised = await open(place, { memory: 1 << 20 })
  const rows = [...repo.notes({ ref: name })]
  expect(rows.map(({ object, blob }) => `${blob} ${object}`)).toEqual(listed)
  expect(await collect(promised.notes({ ref }))).toEqual(rows)
  for (const { object } of [...rows.slice(0, 3), ...rows.slice(-3)]) {
    const shown = gitIn(place, 'notes', `--ref=${name}`, 'show', object)
    expect(Buffer.from(repo.note(object, { ref }) ?? []).toString()).toBe(shown)
    expect(await promised.note(object, { ref: `notes/${name}` })).toEqual(
      repo.note(object, { ref }),
    )
  }
}

test('a few notes are entries of one tree', () => compare('refs/notes/commits', 2))

test('many notes are in directories', async () => {
  addNotes('refs/notes/many', 500)
  expect(gitIn(place, 'ls-tree', '--name-only', 'refs/notes/many')).toMatch(/^[0-9a-f]{2}\n/)
  await compare('refs/notes/many', 500)
})

test('a ref is completed as git does, and `commits` is the default', async () => {
  using repo = openSync(place)
  const text = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString()
  expect(text(repo.note('HEAD'))).toBe('about a commit\n')
  expect(text(repo.note(`${tree}`))).toBe('about a tree\n')
  expect(text(repo.note('HEAD~1', { ref: 'builds' }))).toBe('passed\n')
  expect(repo.note('HEAD~1')).toBeNull()
  expect(repo.note('HEAD', { ref: 'nowhere' })).toBeNull()
  expect(await codeOf(() => [...repo.notes({ ref: 'nowhere' })])).toBe('NOT_FOUND')
  expect(await codeOf(() => repo.note('nowhere'))).toBe('NOT_FOUND')
})

test('what is no note is not listed', () => {
  gitIn(place, 'checkout', '-q', '--detach', 'refs/notes/commits')
  write(place, 'README', 'no note\n')
  write(place, `${commit?.slice(0, 2)}/not hex`, 'no note\n')
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'other files')
  gitIn(place, 'update-ref', 'refs/notes/mixed', 'HEAD')
  using repo = openSync(place)
  const objects = [...repo.notes({ ref: 'mixed' })].map(({ object }) => object)
  expect(objects.sort()).toEqual([commit, tree].sort())
  // The directory with the first digits has no such note.
  expect(repo.note(`${commit}`, { ref: 'mixed' })).not.toBeNull()
})
