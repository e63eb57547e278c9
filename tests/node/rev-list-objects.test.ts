/** Objects that are reachable from commits, listed and counted as git does. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { run } from './cli-support.ts'
import { collect, fixture, folderOf, root, sha256 } from './support.ts'

interface Case {
  readonly args: readonly string[]
  readonly lines: number
  readonly sha256: string
  readonly objects?: number
  readonly commits?: number
  readonly bitmaps?: Record<string, { readonly sha256: string }>
}

const folder = folderOf(fixture('packs'))
const file = path.join(root, 'tests/fixtures/listed/packs.json')
const cases: readonly Case[] = JSON.parse(readFileSync(file, 'utf8')).cases
const plain = cases.filter(({ args }) => args.every((arg) => arg === '--all' || arg[0] !== '-'))

const scratch = mkdtempSync(path.join(tmpdir(), 'listed-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** A copy of the fixture with additional files beside the packs, such as bitmaps. */
function folderWith(kind: string): string {
  const copy = path.join(scratch, kind)
  cpSync(folder, copy, { recursive: true })
  cpSync(path.join(copy, 'kinds', kind), path.join(copy, 'objects', 'pack'), { recursive: true })
  return copy
}

const specsOf = ({ args }: Case) => args.filter((arg) => arg !== '--all')

test('rev-list --quiet reads all and prints nothing', () => {
  for (const args of [['--all'], ['--all', '--objects'], ['--all', '--parents']]) {
    expect(run(folder, ['rev-list', ...args]).stdout).not.toHaveLength(0)
    const { exit, stdout } = run(folder, ['rev-list', '--quiet', ...args])
    expect([exit, stdout.length], args.join(' ')).toEqual([0, 0])
  }
  expect(run(folder, ['rev-list', '--quiet', 'nowhere']).exit).toBe(128)
  expect(run(folder, ['rev-list', '--quiet', '--count', '--all']).exit).toBe(128)
})

describe('Objects that are reachable from commits', () => {
  test('are listed and counted as by git', async () => {
    expect(plain.length).toBeGreaterThan(12)
    await using repo = await open(folder)
    using same = openSync(folder)
    for (const one of plain) {
      const options = { all: one.args.includes('--all') }
      const listed = await collect(repo.revListObjects(specsOf(one), options))
      const lines = listed.map(({ oid, pathBytes }) =>
        Buffer.concat([
          Buffer.from(oid),
          Buffer.from(pathBytes ? ' ' : ''),
          pathBytes ?? new Uint8Array(0),
          Buffer.from('\n'),
        ]),
      )
      expect(sha256(Buffer.concat(lines)), one.args.join(' ')).toBe(one.sha256)
      expect([...same.revListObjects(specsOf(one), options)]).toEqual(listed)
      expect(await repo.countObjects(specsOf(one), options)).toBe(one.lines)
      expect(same.countObjects(specsOf(one), options)).toBe(one.lines)
    }
  })

  test('are counted by bitmaps, of which few bytes are read', async () => {
    for (const kind of ['bitmap-table', 'midx-bitmap']) {
      await using repo = await open(folderWith(kind), { worker: kind === 'midx-bitmap' })
      for (const one of plain) {
        const options = { all: one.args.includes('--all'), useBitmapIndex: true }
        const specs = specsOf(one)
        expect(await repo.countObjects(specs, options), one.args.join(' ')).toBe(one.objects)
        expect(await repo.countCommits(specs, options), one.args.join(' ')).toBe(one.commits)
      }
      await using other = await open(path.join(scratch, kind))
      await other.countObjects('main', { useBitmapIndex: true })
      expect(other.stats().objects).toBeLessThan(40)
    }
  })

  test('are listed by bitmaps, a page at a time', async () => {
    await using repo = await open(folderWith('chain-bitmaps'))
    for (const one of plain) {
      const options = { all: one.args.includes('--all'), useBitmapIndex: true }
      const listed = await collect(repo.revListObjects(specsOf(one), options))
      const lines = listed.map(({ oid }) => `${oid}\n`).join('')
      expect(sha256(Buffer.from(lines)), one.args.join(' ')).toBe(
        one.bitmaps?.['chain-bitmaps']?.sha256,
      )
      expect(listed.every(({ path, pathBytes }) => path === null && pathBytes === null)).toBe(true)
    }
  })

  test('have the names of their trees, also if these are not UTF-8', async () => {
    await using repo = await open(folder)
    const [first, tag] = await collect(repo.revListObjects('v1.0'))
    expect(first?.path).toBeNull()
    expect(first?.pathBytes).toBeNull()
    const listed = await collect(repo.revListObjects('main'))
    const latin = listed.find(({ pathBytes }) => pathBytes?.includes(0xe9))
    expect(latin?.path).toContain('\ufffd')
    expect(tag).toBeDefined()
  })
})

describe('rev-list --objects', () => {
  test('prints the same as git', () => {
    for (const one of cases) {
      const { stdout, exit } = run(folder, ['rev-list', '--objects', ...one.args])
      expect(exit).toBe(0)
      expect(sha256(stdout), one.args.join(' ')).toBe(one.sha256)
    }
    const { stdout } = run(folder, ['rev-list', '--objects', '--no-object-names', 'main'])
    expect(stdout.toString()).toMatch(/^([0-9a-f]{40}\n){269}$/)
  })

  test('counts by bitmaps', () => {
    const copy = folderWith('bitmap')
    for (const one of cases.filter(({ objects }) => objects !== undefined)) {
      const count = (...more: string[]) =>
        Number(
          run(copy, ['rev-list', '--use-bitmap-index', '--count', ...more, ...one.args]).stdout,
        )
      expect(count('--objects'), one.args.join(' ')).toBe(one.objects)
      expect(count(), one.args.join(' ')).toBe(one.commits)
    }
  })

  test('lists by bitmaps', () => {
    const copy = folderWith('chain-bitmaps')
    for (const one of cases.filter(({ bitmaps, args }) => bitmaps && args[1] !== '--topo-order')) {
      const args = ['rev-list', '--use-bitmap-index', '--objects', ...one.args]
      const { stdout } = run(copy, args)
      expect(sha256(stdout), one.args.join(' ')).toBe(one.bitmaps?.['chain-bitmaps']?.sha256)
    }
    const { stdout } = run(copy, ['rev-list', '--use-bitmap-index', 'main'])
    const commits = run(copy, ['rev-list', 'main']).stdout
    const lines = (text: Buffer) => text.toString().split('\n').sort()
    expect(lines(stdout)).toEqual(lines(commits))
    expect(stdout).not.toEqual(commits)
  })
})

test('rev-list --objects names an object by the path that it was asked for', () => {
  const named = (from: string, ...specs: readonly string[]) => {
    const { exit, stdout } = run(from, ['rev-list', '--objects', ...specs])
    const names = stdout.toString().trimEnd().split('\n')
    return [exit, ...names.map((line) => line.slice(line.indexOf(' ')))]
  }
  // A name that begins with a dot is no relative path, and braces may have a colon.
  for (const tree of ['HEAD', 'HEAD^{tree}', 'HEAD^{/[[:alpha:]]}']) {
    expect(named(folder, `${tree}:.gitmodules`), tree).toEqual([0, ' .gitmodules'])
  }
  const inIndex = path.join(root, 'target/fixtures/index-files/cached-trees')
  expect(named(inIndex, ':folder/b.txt', ':0:a.txt')).toEqual([0, ' folder/b.txt', ' a.txt'])
})
