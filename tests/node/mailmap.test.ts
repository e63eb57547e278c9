/** Names and addresses are replaced as `git check-mailmap` does. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open } from 'packlens'
import { afterAll, expect, test } from 'vitest'
import { parseMailmap } from '../../dist/objects/mailmap.js'
import { environment } from './cli-support.ts'
import { gitIn, madeWorktree, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-mailmap-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const MAILMAP = `# comment <comment@x>
 # no comment <no-comment@x>
#Comment <comment@x> <comment-old@x>
Proper Name <one@x>
<new@x> <two@x>
Three Name <three-new@x> <three@x>
Four Name <four-new@x> Old Four <four@x>
Other Four <four@x>
   Spaced   Name   <  spaced@x >
Trail <trail@x> # comment <foo@bar>
Empty <>
<empty@x> <>
Nothing
<only@x>
Bad <unclosed@x
Unopened only-end@x>
Upper <UPPER@X>
First <a@x>
Second <a@x>
<mail@x> <a@x>
Five <five@x> Name One <five-old@x>
Six <five-old@x>
<six@x> NAME two <five-old@x>
<seven@x> Name One <five-old@x>
\tTab\tName\t<tab@x>\t<tab-old@x>
X <x@x> Y <y@x> Z <z@x>
Q <q<r@x> <q2@x>
R <r>r@x> <r2@x>
\xc3\x84 Umlaut <\xc3\xa4@x>
Latin \xc4 <\xe4@x>
CR <cr@x>\r
Same Name <same@x> <same@x>
<named@x> \xc3\x84 <named-old@x>
NoEnd <noend@x>`

const CONTACTS = [
  ...['one@x', 'ONE@x', 'two@x', 'three@x', 'four@x', 'spaced@x', '  spaced@x ', 'trail@x'],
  ...['foo@bar', '', 'only@x', 'unclosed@x', 'only-end@x', 'upper@x', 'a@x', 'five-old@x'],
  ...['five@x', 'tab@x', 'tab-old@x', 'x@x', 'y@x', 'z@x', 'q2@x', 'q<r@x', 'r@x', 'r2@x', 'r'],
  ...['\xc3\xa4@x', '\xc3\x84@x', '\xe4@x', '\xc4@x', 'cr@x', 'same@x', 'noend@x', 'comment@x'],
  ...['comment-old@x', 'no-comment@x', 'one', 'one@xx', 'named-old@x', 'constructor', '__proto__'],
].flatMap((email) =>
  ['Any', 'Old Four', 'old four', 'Name One', 'NAME TWO', 'Y', '\xc3\x84', '\xc3\xa4'].map(
    (name) => ({ name, email }),
  ),
)

/** Returns what git prints for contacts, bytes as characters. */
function gitAnswers(mailmap: string): string[] {
  const file = path.join(folder, 'mailmap')
  writeFileSync(file, mailmap, 'latin1')
  const args = ['-c', `mailmap.file=${file}`, 'check-mailmap', '--stdin']
  const input = CONTACTS.map(({ name, email }) => `${name} <${email}>\n`).join('')
  const options = { cwd: folder, env: environment, input: Buffer.from(input, 'latin1') }
  spawnSync('git', ['init', '-q', folder])
  const { status, stdout, stderr } = spawnSync('git', args, options)
  expect({ status, stderr: `${stderr}` }).toEqual({ status: 0, stderr: '' })
  return stdout.toString('latin1').split('\n').slice(0, -1)
}

const LINES = MAILMAP.split('\n')

const CASES: readonly [title: string, mailmap: string][] = [
  ['all lines', MAILMAP],
  ['all lines backwards', [...LINES].reverse().join('\n')],
  ['no lines', ''],
  ...LINES.map((line): [string, string] => [JSON.stringify(line), line]),
]

test.each(CASES)('%s', (_, mailmap) => {
  const mapped = parseMailmap(mailmap)
  const own = CONTACTS.map(mapped).map(({ name, email }) => `${name} <${email}>`)
  expect(own).toEqual(gitAnswers(mailmap))
})

test('Long gaps are skipped at once', () => {
  // A pattern, which scans a gap from each of its characters, takes longer than a test may.
  const gap = ' '.repeat(300_000)
  const mapped = parseMailmap(`${gap}a${gap}b${gap}<new@x> <a@x>\n`)
  const { name } = mapped({ name: '', email: 'a@x' })
  expect([name.length, name.startsWith('a '), name.endsWith(' b')]).toEqual([300_002, true, true])
})

test('Names of properties are names', () => {
  const mapped = parseMailmap('New <new@x> <constructor>\n')
  expect(mapped({ name: 'a', email: 'constructor' })).toEqual({ name: 'New', email: 'new@x' })
  expect(mapped({ name: 'a', email: '__proto__' })).toEqual({ name: 'a', email: '__proto__' })
})

test('A repository has the mailmap of a tree', async () => {
  const place = madeWorktree(path.join(folder, 'made'))
  await using before = await open(place)
  const same = (await before.mailmap())({ name: 'a', email: 'one@x' })
  expect(same).toEqual({ name: 'a', email: 'one@x' })
  write(place, '.mailmap', 'Zoë <new@x> <a@b>\n')
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'a mailmap')
  await using repo = await open(place)
  const { author } = await repo.readCommit('HEAD')
  const mailmap = await repo.mailmap()
  expect(mailmap(author)).toEqual({ name: 'Zoë', email: 'new@x' })
  expect(gitIn(place, 'check-mailmap', 'a <a@b>')).toBe('Zo\xc3\xab <new@x>\n')
  const older = await repo.mailmap('HEAD~1')
  expect(older(author)).toEqual({ name: 'a', email: 'a@b' })
})
