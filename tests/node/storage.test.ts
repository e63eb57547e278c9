/** Storage of repositories and content of indexes: tests/fixtures/batch/ask-storage.mjs asked git. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { StorageCounts } from 'packlens'
import { open, openSync, showIndex } from 'packlens'
import { describe, expect, test } from 'vitest'
import { environmentOf, type Recorded, root, run, unpacked } from './cli-support.ts'
import { codeOf, collect } from './support.ts'

const recorded = path.join(root, 'tests', 'fixtures', 'batch', 'storage.json')
const { cases } = JSON.parse(readFileSync(recorded, 'utf8')) as { cases: Recorded[] }
const folder = path.join(unpacked, 'storage')
const bytesOf = (name: string) => new Uint8Array(readFileSync(path.join(folder, 'ids', name)))

/** The disk blocks of loose objects differ between file systems. */
const withoutBlocks = (text: string) =>
  text
    .replace(/^size: .*$/m, 'size')
    .replace(/, [0-9.]+ (bytes|kilobytes|KiB)$/m, '')
    // A usage is in our words.
    .replace(/^usage: .*/ms, 'usage')

/** The order of garbage in git's output depends on the file system. */
const linesOf = (text: string) => withoutBlocks(text).split('\n').sort()

describe('Compared with git', () => {
  test.each(cases.map((entry) => [`${entry.cwd}: ${entry.args.join(' ')}`, entry] as const))(
    '%s',
    (_, entry) => {
      const answer = run(entry.cwd, entry.args, environmentOf(entry))
      expect(answer.exit).toBe(entry.exit)
      const cut = entry.args[0] === 'show-index' && entry.exit === 128
      // git prints the fields before the damage, and names each.
      if (cut) return expect(answer.stderr).toMatch(/^fatal: /)
      const stdout = Buffer.from(entry.stdout ?? '', 'base64').toString()
      expect(withoutBlocks(answer.stdout.toString())).toBe(withoutBlocks(stdout))
      expect(linesOf(answer.stderr)).toEqual(linesOf(entry.stderr))
    },
  )

  test('alternates are listed, and sizes are in disk blocks', () => {
    const { stdout } = run('storage/other.git', ['count-objects', '-v'])
    const alternate = path.join(folder, 'repo.git', 'objects')
    expect(stdout.toString()).toMatch(/^count: 1\nsize: \d+\nin-pack: 0\npacks: 0\nsize-pack: 0\n/)
    expect(stdout.toString().endsWith(`\nsize-garbage: 0\nalternate: ${alternate}\n`)).toBe(true)
  })
})

/** Returns the counts in git's output. */
function countedByGit(): Record<string, number> {
  const entry = cases.find(({ args }) => args.join(' ') === 'count-objects -v')
  const lines = Buffer.from(entry?.stdout ?? '', 'base64')
    .toString()
    .trim()
    .split('\n')
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value] = line.split(': ')
      return [name, Number(value)]
    }),
  )
}

describe('storage', () => {
  const git = countedByGit()

  function check({ count, inPack, packs, prunePackable, garbage, ...rest }: StorageCounts) {
    expect([count, inPack, packs.length]).toEqual([git.count, git['in-pack'], git.packs])
    expect([prunePackable, garbage.length]).toEqual([git['prune-packable'], git.garbage])
    expect(Math.floor(rest.sizePack / 1024)).toBe(git['size-pack'])
    expect(rest.size).toBeGreaterThan(300)
    expect(rest.sizeGarbage).toBe(57)
    const beside = (name: 'keep' | 'promisor' | 'cruft' | 'rev' | 'bitmap') =>
      packs.filter((pack) => pack[name]).map(({ objects }) => objects)
    expect([beside('keep').length, beside('promisor').length]).toEqual([1, 1])
    expect([beside('cruft'), beside('rev'), beside('bitmap')]).toEqual([[1], [], []])
    expect(garbage.map(({ path: name, why }) => `${name}: ${why}`).sort()).toEqual([
      '45/tmp_obj_1: garbage',
      'pack/pack-1.pack: no-idx',
      'pack/pack-2.idx: no-pack',
      'pack/pack-3.keep: no-idx-or-pack',
      'pack/pack-3.rev: no-idx-or-pack',
      'pack/readme: garbage',
      'pack/tmp_pack_1: garbage',
    ])
  }

  test.each([false, true])('counts what git counts; in a worker: %s', async (worker) => {
    await using repo = await open(path.join(folder, 'repo.git'), { worker })
    check(await repo.storage())
    await using other = await open(path.join(folder, 'other.git'), { worker })
    expect((await other.storage()).alternates).toEqual(['../repo.git/objects'])
  })

  test('reports bitmaps and reverse indexes', () => {
    using repo = openSync(path.join(unpacked, 'packs'))
    const { packs, alternates } = repo.storage()
    expect(packs.length).toBeGreaterThan(0)
    expect(alternates).toEqual([])
  })
})

describe('showIndex', () => {
  test.each([
    ['one.idx', false],
    ['two.idx', true],
    ['long.idx', true],
  ])('lists the entries of %s', async (name, hasCrcs) => {
    const entries = await collect(showIndex(bytesOf(name)))
    const others = await collect(showIndex(path.join(folder, 'ids', 'two.idx'), { worker: true }))
    const plain = ({ oid, offset }: (typeof entries)[number]) => `${offset} ${oid}`
    expect(entries.map(plain)).toEqual(others.map(plain))
    expect(entries.length).toBe(9)
    expect(entries.every(({ crc32 }) => (crc32 !== null) === hasCrcs)).toBe(true)
  })

  test('SHA-256', async () => {
    const entries = await collect(showIndex(bytesOf('sha256.idx'), { objectFormat: 'sha256' }))
    expect(entries.map(({ offset, oid }) => [offset, oid.length])).toEqual([
      [12, 64],
      [40, 64],
    ])
  })

  test('a truncated index, or another file, is an error', async () => {
    const whole = bytesOf('two.idx')
    for (let length = 0; length < whole.length; length += 7) {
      const cut = whole.slice(0, length)
      expect(await codeOf(() => collect(showIndex(cut))), `${length}`).toBe('CORRUPT')
    }
    expect(await codeOf(() => collect(showIndex(undefined as never)))).toBe('BAD_INPUT')
    expect(await codeOf(() => collect(showIndex('/nowhere.idx')))).toBe('NOT_FOUND')
  })
})
