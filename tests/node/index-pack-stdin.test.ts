/** Packs from standard input. The expected output is that of git 2.39. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { type RunOptions, run, runProcess, unpacked } from './cli-support.ts'

const scratch = mkdtempSync(path.join(os.tmpdir(), 'packlens-stdin-'))
afterAll(() => rmSync(scratch, { recursive: true }))

let copies = 0

/** Makes a repository without the last two commits. */
function copyOfOlder(format = ''): string {
  const folder = path.join(scratch, `${copies++}.git`)
  cpSync(path.join(unpacked, 'thin', format, 'older.git'), folder, { recursive: true })
  return folder
}

const bytesOf = (name: string) => readFileSync(path.join(unpacked, 'thin', name))
const packsOf = (folder: string) => readdirSync(path.join(folder, 'objects', 'pack')).sort()

/** Runs the command; returns its answer and the new files beside the packs. */
function taken(folder: string, args: readonly string[], stdin: Uint8Array, options?: RunOptions) {
  const before = packsOf(folder)
  const answer = run(folder, ['index-pack', '--stdin', ...args], { ...options, stdin })
  const added = packsOf(folder).filter((name) => !before.includes(name))
  return { ...answer, out: answer.stdout.toString(), added }
}

const fixed = bytesOf('fixed.pack')
const oid = fixed.subarray(-20).toString('hex')

describe.each(['', 'sha256'])('A thin pack %s', (format) => {
  const thin = bytesOf(path.join(format, 'thin.pack'))

  test.each([1, 1000, 1 << 20])('is completed, in reads of %i bytes', (chunk) => {
    const folder = copyOfOlder(format)
    const { exit, out, stderr, added } = taken(folder, ['--fix-thin'], thin, { chunk })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const [, name = ''] = /^pack\t([0-9a-f]+)\n$/.exec(out) ?? []
    expect(added).toEqual([`pack-${name}.idx`, `pack-${name}.pack`])
    for (const file of added) {
      expect(statSync(path.join(folder, 'objects', 'pack', file)).mode & 0o777).toBe(0o444)
    }
    const pack = path.join('objects', 'pack', `pack-${name}.pack`)
    expect(run(folder, ['verify-pack', pack])).toMatchObject({ exit: 0, stderr: '' })
    using repo = openSync(folder)
    using origin = openSync(path.join(unpacked, 'thin', format, 'repo.git'))
    for (const row of origin.objects()) {
      if (!('oid' in row)) throw new Error(row.type)
      expect(Buffer.from(repo.read(row.oid).data).equals(row.data)).toBe(true)
    }
  })

  test('is refused without --fix-thin, and leaves no files', () => {
    const { exit, out, stderr, added } = taken(copyOfOlder(format), [], thin)
    expect({ exit, out, added }).toEqual({ exit: 128, out: '', added: [] })
    expect(stderr).toMatch(/^fatal: .*the base of a delta is not in the pack/)
  })
})

describe('A pack', () => {
  test('gets its name and git’s indexes', () => {
    const folder = copyOfOlder()
    const { exit, out, added } = taken(folder, ['--rev-index', '--fix-thin'], fixed)
    expect({ exit, out }).toEqual({ exit: 0, out: `pack\t${oid}\n` })
    expect(added).toEqual(['idx', 'pack', 'rev'].map((ending) => `pack-${oid}.${ending}`))
    for (const name of added) {
      const bytes = readFileSync(path.join(folder, 'objects', 'pack', name))
      expect(bytes.equals(bytesOf(`fixed${path.extname(name)}`))).toBe(true)
    }
    // The second time the pack already exists.
    const again = taken(folder, [], fixed)
    expect(again).toMatchObject({ exit: 0, out: `pack\t${oid}\n`, added: [] })
  })

  test('is kept by --keep, with a message or without', () => {
    const folder = copyOfOlder()
    const keep = path.join(folder, 'objects', 'pack', `pack-${oid}.keep`)
    expect(taken(folder, ['--keep=why'], fixed).out).toBe(`keep\t${oid}\n`)
    expect(readFileSync(keep, 'utf8')).toBe('why\n')
    expect(statSync(keep).mode & 0o777).toBe(0o600)
    expect(taken(folder, ['--keep=again'], fixed).out).toBe(`pack\t${oid}\n`)
    expect(readFileSync(keep, 'utf8')).toBe('why\n')
    rmSync(keep)
    expect(taken(folder, ['--keep', '--promisor=from'], fixed).out).toBe(`keep\t${oid}\n`)
    expect(readFileSync(keep, 'utf8')).toBe('')
    expect(readFileSync(keep.replace(/keep$/, 'promisor'), 'utf8')).toBe('from\n')
  })

  test('is written to the given path', () => {
    const folder = copyOfOlder()
    expect(taken(folder, ['--rev-index', 'a.pack'], fixed).out).toBe(`pack\t${oid}\n`)
    expect(taken(folder, ['--rev-index', '-o', 'b.idx'], fixed).out).toBe(`pack\t${oid}\n`)
    expect(packsOf(folder)).toContain(`pack-${oid}.pack`)
    expect(packsOf(folder)).not.toContain(`pack-${oid}.idx`)
    const made = readdirSync(folder).filter((name) => /^[ab]\./.test(name))
    expect(made).toEqual(['a.idx', 'a.pack', 'a.rev', 'b.idx', 'b.rev'])
    const there = taken(folder, ['a.pack'], fixed)
    expect(there.stderr).toBe("fatal: unable to create 'a.pack': File exists\n")
    const missing = taken(folder, ['x/a.pack'], fixed)
    expect(missing.stderr).toBe("fatal: unable to create 'x/a.pack': No such file or directory\n")
  })

  test.each([
    ['nothing', new Uint8Array(0), [], 'early EOF'],
    ['its beginning', fixed.subarray(0, 8), [], 'early EOF'],
    ['something else', Buffer.from('junk and more'), [], 'pack signature mismatch'],
    [
      'more than allowed',
      fixed,
      ['--max-input-size=100'],
      'pack exceeds maximum allowed size (100 bytes)',
    ],
  ] as const)('of which there is %s is refused', (_, bytes, args, message) => {
    for (const chunk of [3, 1 << 20]) {
      const { exit, stderr, added } = taken(copyOfOlder(), args, bytes, { chunk })
      expect({ exit, stderr, added }).toEqual({
        exit: 128,
        stderr: `fatal: ${message}\n`,
        added: [],
      })
    }
  })

  test('that is damaged or truncated is refused, and leaves no files', () => {
    const folder = copyOfOlder()
    for (let at = 4; at < fixed.length; at += 61) {
      const damaged = Buffer.from(fixed)
      damaged[at] = (damaged[at] ?? 0) ^ 16
      expect(taken(folder, ['--fix-thin'], damaged)).toMatchObject({
        exit: 128,
        out: '',
        added: [],
      })
      const cut = fixed.subarray(0, at)
      expect(taken(folder, [], cut)).toMatchObject({ exit: 128, out: '', added: [] })
    }
  })

  test('gets the same index from several threads', () => {
    const folder = copyOfOlder()
    const alone = taken(copyOfOlder(), ['--fix-thin'], bytesOf('thin.pack'))
    const stdin = bytesOf('thin.pack')
    const args = ['index-pack', '--stdin', '--fix-thin', '--threads=2']
    expect(runProcess(folder, args, { stdin }).stdout.toString()).toBe(alone.out)
    expect(packsOf(folder).filter((name) => name.startsWith('tmp'))).toEqual([])
  })

  test('needs a repository', () => {
    const answer = run(os.tmpdir(), ['index-pack', '--stdin'], { stdin: fixed })
    const stderr = 'fatal: --stdin requires a git repository\n'
    expect(answer).toMatchObject({ exit: 128, stderr })
    const both = run(os.tmpdir(), ['index-pack', '--stdin', '--object-format=sha1'])
    expect(both.stderr).toBe(
      "fatal: options '--object-format' and '--stdin' cannot be used together\n",
    )
  })
})
