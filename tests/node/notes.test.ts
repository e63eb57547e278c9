/** Notes, as `git notes` lists and shows them. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { closeRepositories, readNote } from 'packlens/isomorphic-git'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from './cli-support.ts'
import { gitIn, madeWorktree, write } from './made-worktree.ts'
import { codeOf, collect } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-notes-'))
afterAll(() => {
  closeRepositories()
  rmSync(folder, { recursive: true, force: true })
})

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

describe('A note in a directory and another one outside', () => {
  const about = [...Array(4).keys()].map((digit) => `ab${`${digit}`.repeat(38)}`)
  const head = () => gitIn(place, 'rev-parse', 'HEAD').trim()

  /** Makes a notes ref of the texts of paths; a mode precedes a path that is no regular file. */
  function notesOf(ref: string, texts: Readonly<Record<string, string>>): void {
    const files = Object.entries(texts).map(([path, text]) => {
      const [mode, name] = path.includes(' ') ? path.split(' ') : ['100644', path]
      return `M ${mode} inline ${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    })
    const commit = `commit ${ref}\ncommitter a <a@b> 0 +0000\ndata 0\n${files.join('')}done\n`
    execFileSync('git', ['fast-import', '--quiet', '--done'], { cwd: place, input: commit })
  }

  /** The paths that a note may have: in no directory, in one, and in two. */
  function paths(oid: string): [string, string, string] {
    const [first, second, third] = [oid.slice(0, 2), oid.slice(2, 4), oid.slice(4)]
    return [oid, `${first}/${second}${third}`, `${first}/${second}/${third}`]
  }

  test.each([
    ['with an empty line between them', ['outside\n', 'inside\n', 'deep\n']],
    ['without a last line feed, or with several', ['outside', 'inside', 'deep\n\n']],
    ['once if they are copies', ['same\n', 'same\n', 'same\n']],
    ['as two if a third one is between copies', ['same\n', 'other\n', 'same\n']],
    ['without the empty ones', ['', 'inside\n', '']],
    ['of which the last one is empty', ['', '', 'deep\n']],
    ['though one is an empty line', ['\n', '', '']],
  ])('are joined %s', async (about, [outside = '', inside = '', deep = '']) => {
    const ref = `refs/notes/${about.replaceAll(/\W/g, '-')}`
    const oid = head()
    const [flat, below, deepest] = paths(oid)
    notesOf(ref, { [flat]: outside, [below]: inside, [deepest]: deep })
    const shown = gitIn(place, 'notes', `--ref=${ref}`, 'show', oid)
    using repo = openSync(place)
    await using promised = await open(place)
    expect(Buffer.from(repo.note(oid, { ref }) ?? []).toString()).toBe(shown)
    expect(await promised.note(oid, { ref })).toEqual(repo.note(oid, { ref }))
    const bytes = await readNote({ fs, dir: place, ref, oid })
    expect(Buffer.from(bytes).toString()).toBe(shown)
    gitIn(place, 'update-ref', 'refs/notes/commits', ref)
    for (const format of ['--format=<%N>', '--format=medium', '--format=oneline']) {
      const args = ['log', '-1', '--notes', format]
      expect(run(place, args).stdout.toString('latin1')).toBe(gitIn(place, ...args))
    }
  })

  test('are one row, in the order of the objects', async () => {
    const ref = 'refs/notes/rows'
    const [first, second, third, fourth] = about as [string, string, string, string]
    notesOf(ref, {
      [paths(third)[1]]: 'in a directory\n',
      [paths(first)[0]]: 'outside\n',
      [paths(second)[2]]: 'deep\n',
      [paths(second)[0]]: 'outside of it\n',
      [`${fourth.slice(0, 4)}/${fourth.slice(4)}`]: 'a directory of four digits\n',
      [`120000 ${fourth}`]: 'a link\n',
      [`ac${'0'.repeat(38)}`]: 'of the next directory\n',
    })
    const listed = gitIn(place, 'notes', `--ref=${ref}`, 'list').trim().split('\n')
    using repo = openSync(place)
    const rows = [...repo.notes({ ref })]
    const ids = rows.map(({ object, blobs }) => {
      const bytes = blobs.length > 1 ? repo.note(object, { ref }) : repo.read(`${blobs[0]}`).data
      const hash = createHash('sha1')
        .update(`blob ${bytes?.length}\0`)
        .update(bytes ?? '')
      return `${hash.digest('hex')} ${object}`
    })
    expect(ids).toEqual(listed)
    expect(rows.map(({ blobs }) => blobs.length)).toEqual([1, 2, 1, 1])
    expect(rows.every(({ blob, blobs }) => blob === blobs[0])).toBe(true)
    await using promised = await open(place)
    expect(await collect(promised.notes({ ref }))).toEqual(rows)
  })
})
