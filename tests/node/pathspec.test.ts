/** Pathspecs: the same paths and commits as git selects, over made histories. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linesOf } from '../../scripts/lib/history-cases.mjs'
import { digestOf } from '../fixtures/history-modes.mjs'
import recorded from '../fixtures/pathspecs.json' with { type: 'json' }
import { KINDS, makePathspecs } from '../fixtures/pathspecs.mjs'
import { run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-pathspecs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made: ReturnType<typeof makePathspecs>
beforeAll(() => {
  made = makePathspecs('git', folder)
})

test.each(KINDS)('limits a history as git does: %s', (kind) => {
  const answers = recorded.histories[kind as keyof typeof recorded.histories]
  using repo = openSync(path.join(folder, kind))
  let found = 0
  for (const [at, asked] of made.histories.entries()) {
    const text = `${asked.args.join(' ')} ${asked.specs.join(' ')} -- ${asked.paths.join(' ')}`
    const lines = linesOf(repo, asked)
    expect(digestOf(lines), text).toBe(answers[at])
    found += lines.length
  }
  expect(made.histories.length).toBeGreaterThan(80)
  expect(found).toBeGreaterThan(500)
})

test('limits a comparison of trees as git does', () => {
  using repo = openSync(path.join(folder, 'plain'))
  let found = 0
  for (const [at, asked] of made.changes.entries()) {
    const { old = '', now = '', recursive, trees, elements } = asked
    const changes = [...repo.diff(old, now, { recursive, trees, pathspec: elements })]
    const names = changes.map(({ pathBytes }) => Buffer.from(pathBytes).toString('latin1'))
    expect(digestOf(names), JSON.stringify(asked)).toBe(recorded.changes[at])
    found += names.length
    const args = ['diff-tree', ...(recursive ? ['-r'] : []), ...(trees ? ['-t'] : [])]
    const listed = run(path.join(folder, 'plain'), [
      ...[...args, '--name-only', '-z', old, now, '--', ...elements],
    ])
    if (at % 10 === 0) {
      expect(digestOf(listed.stdout.toString('latin1').split('\0').slice(0, -1))).toBe(
        recorded.changes[at],
      )
    }
  }
  expect(found).toBeGreaterThan(200)
})

describe('`path` and `pathspec`', () => {
  test('differ in what is special, and add up', () => {
    using repo = openSync(path.join(folder, 'plain'))
    const paths = (options: object) => {
      const changes = [...repo.patches(null, 'main', options)]
      return changes.map(({ path }) => path)
    }
    const all = paths({})
    const below = (start: string) => all.filter((path) => path.startsWith(start))
    expect(paths({ path: '*' })).toEqual([])
    expect(paths({ pathspec: '*' })).toEqual(all)
    expect(paths({ path: 'dir' })).toEqual(below('dir/'))
    expect(paths({ pathspec: 'dir/*' })).toEqual(below('dir/'))
    expect(paths({ path: 'dir', pathspec: 'o*' })).toEqual([...below('dir/'), ...below('other/')])
    expect(paths({ path: 'dir', pathspec: ':!dir/deep' })).toEqual(
      below('dir/').filter((path) => !path.startsWith('dir/deep/')),
    )
    expect(below('dir/').length).toBeGreaterThan(1)
  })

  test('trees in which nothing is selected are not read', () => {
    const objectsOf = (pathspec: string) => {
      using repo = openSync(path.join(folder, 'plain'))
      for (const _ of repo.diff(null, 'main', { pathspec }));
      return repo.stats().objects
    }
    // The commit, its root, and what is below.
    expect(objectsOf('*')).toBeGreaterThan(objectsOf('dir/d*'))
    expect(objectsOf('oth*')).toBe(3)
    expect(objectsOf('nothing/*')).toBe(2)
  })

  test('errors name the element', () => {
    using repo = openSync(path.join(folder, 'plain'))
    for (const [pathspec, code] of [
      [':(attr:text)a', 'UNSUPPORTED'],
      [':(no)a', 'BAD_INPUT'],
      ['../a', 'BAD_INPUT'],
      ['a'.repeat(1 << 17), 'LIMIT'],
    ] as const) {
      const subject = expect.stringContaining(pathspec.slice(0, 9))
      const ask = [
        () => [...repo.diff(null, 'main', { pathspec })],
        () => [...repo.patches(null, 'main', { pathspec })],
        () => [...repo.combinedPatches('main', { pathspec })],
        () => [...repo.revList('main', { pathspec })],
      ]
      for (const call of ask) {
        expect(call).toThrow(expect.objectContaining({ code, subject }))
      }
    }
  })
})
