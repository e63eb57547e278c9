/** The attribute `diff` decides as in git which files are binary, and what headings say. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-attributes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const work = path.join(folder, 'work')
const bare = path.join(folder, 'bare.git')

const ATTRIBUTES = `*.py diff=python
*.bin -diff
*.dat diff
*.rs diff=unknown
link -diff
[attr]closed binary
secret closed
`

function git(args: readonly string[], cwd = work): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, env: environment })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Writes all files; `end` is different in each commit. */
function write(end: string): void {
  const code = `class A:\n    def first(self):\n${'        x\n'.repeat(5)}        ${end}\n`
  const files = {
    ...{ 'a.py': code, 'a.rs': code, 'plain.txt': code, 'b.bin': code, secret: code },
    'c.dat': `a\0b\n${end}\n`,
    'sub/a.py': code,
    'sub/deep/b.bin': code,
    'other/a.py': code,
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(work, name)), { recursive: true })
    writeFileSync(path.join(work, name), content)
  }
  rmSync(path.join(work, 'link'), { force: true })
  symlinkSync(`to/${end}`, path.join(work, 'link'))
}

beforeAll(() => {
  mkdirSync(work)
  git(['init', '-q', '-b', 'main'])
  for (const end of ['one', 'two', 'three']) {
    write(end)
    if (end === 'two') {
      writeFileSync(path.join(work, '.gitattributes'), ATTRIBUTES)
      writeFileSync(path.join(work, 'sub/.gitattributes'), 'a.py diff=ruby\n*.bin !diff\n')
      writeFileSync(path.join(work, 'empty.bin'), '')
    }
    if (end === 'three') {
      git(['mv', 'other/a.py', 'other/moved.py'])
      git(['rm', '-q', 'empty.bin'])
    }
    git(['add', '.'])
    git(['commit', '-q', '-m', end])
  }
  git(['checkout', '-q', '-b', 'side', 'main~1'])
  writeFileSync(path.join(work, 'c.dat'), 'a\0b\nfour\n')
  writeFileSync(path.join(work, 'secret'), 'four\n')
  git(['commit', '-q', '-a', '-m', 'four'])
  git(['checkout', '-q', 'main'])
  git(['merge', '-q', '-s', 'ours', '--no-commit', 'side'])
  writeFileSync(path.join(work, 'c.dat'), 'a\0b\nfive\n')
  writeFileSync(path.join(work, 'secret'), 'five\n')
  git(['commit', '-q', '-a', '-m', 'merged'])
  cpSync(path.join(work, '.git'), bare, { recursive: true })
  git(['config', 'core.bare', 'true'], bare)
})

const COMMANDS = [
  ['diff', 'main~2', 'main~1'],
  ['diff', '-M', '--stat', 'main~2', 'main'],
  ['diff', '--numstat', '--no-renames', 'main~2', 'main~1'],
  ['diff', '-Gtwo|two', '--name-only', 'main~2', 'main~1'],
  ['diff-tree', '-p', '-r', 'main~2', 'main~1'],
  ['diff-tree', '--cc', 'main'],
  ['diff-tree', '-c', '-p', 'main'],
  ['log', '-p', '--format=%s', 'main'],
]

test.each(COMMANDS)('%s %s %s reads the attributes of a clean work tree', (...args) => {
  const own = run(work, args)
  expect(own.stdout.toString()).toBe(git(args).toString())
  expect(own.exit).toBe(0)
})

test.each(COMMANDS)('%s %s %s reads info/attributes alone without a work tree', (...args) => {
  for (const text of ['', '*.txt -diff\n*.rs diff=python\n']) {
    mkdirSync(path.join(bare, 'info'), { recursive: true })
    writeFileSync(path.join(bare, 'info/attributes'), text)
    expect(run(bare, args).stdout.toString()).toBe(git(args, bare).toString())
  }
})

test('--attr-source names the tree', () => {
  const expected = git(['diff', 'main~2', 'main~1']).toString()
  const args = ['diff', 'main~2', 'main~1']
  writeFileSync(path.join(bare, 'info/attributes'), '')
  expect(run(bare, ['--attr-source=main', ...args]).stdout.toString()).toBe(expected)
  expect(run(bare, ['--attr-source', 'main', ...args]).stdout.toString()).toBe(expected)
  expect(run(bare, ['--attr-source=main~3', ...args]).stdout.toString()).not.toBe(expected)
  const { exit, stderr } = run(bare, ['--attr-source=none', ...args])
  expect([exit, stderr.toString()]).toEqual([128, 'fatal: bad --attr-source or GIT_ATTR_SOURCE\n'])
})

test('patches and combinedPatches take the revision of the attributes', () => {
  using repo = openSync(bare)
  const joined = (patches: Iterable<{ readonly bytes: Uint8Array }>) =>
    Buffer.concat([...patches].map(({ bytes }) => bytes)).toString()
  const options = { abbrev: 'auto', attributes: 'main' } as const
  expect(joined(repo.patches('main~2', 'main~1', options))).toBe(
    git(['diff', '--no-renames', 'main~2', 'main~1']).toString(),
  )
  const merge = git(['diff-tree', '--no-commit-id', '--cc', 'main']).toString()
  expect(joined(repo.combinedPatches('main', options))).toBe(merge)
  const pickaxe = { pattern: 'two' }
  const named = [...repo.diff('main~2', 'main~1', { attributes: 'main', pickaxe })]
  expect(named.map((change) => change.path)).toEqual(
    git(['diff', '--no-renames', '-Gtwo', '--name-only', 'main~2', 'main~1'])
      .toString()
      .trim()
      .split('\n'),
  )
  expect(() => [...repo.patches('main~2', 'main', { attributes: 'none' })]).toThrow('none')
})
