/** The modes of path histories: the same as git lists, over made histories. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesOf } from '../../scripts/lib/history-cases.mjs'
import recorded from '../fixtures/history-modes.json' with { type: 'json' }
import { digestOf, KINDS, makeHistories } from '../fixtures/history-modes.mjs'
import { run } from './cli-support.ts'
import { collect, errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-history-modes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let made: ReturnType<typeof makeHistories>
beforeAll(() => {
  made = makeHistories('git', folder)
})

describe.each(KINDS)('%s', (kind) => {
  test('lists what git lists', () => {
    const answers = recorded.answers[kind as keyof typeof recorded.answers]
    using repo = openSync(path.join(folder, kind))
    let found = 0
    for (const [at, asked] of made.cases.entries()) {
      const text = `${asked.args.join(' ')} ${asked.specs.join(' ')} -- ${asked.paths.join(' ')}`
      if (answers[at] === 'fails') {
        expect(() => linesOf(repo, asked), text).toThrow('ancestry path')
        continue
      }
      const lines = linesOf(repo, asked)
      expect(digestOf(lines), text).toBe(answers[at])
      found += lines.length
    }
    expect(found).toBeGreaterThan(500)
  })
})

test('a graph has parents that are listed, children, sides and the boundary', async () => {
  await using repo = await open(path.join(folder, 'plain'))
  const options = { path: 'dir', children: true, boundary: true, leftRight: true }
  const all = await collect(repo.revListGraph('tip-1...main', options))
  const listed = new Set(all.map(({ oid }) => oid))
  const inside = all.filter(({ boundary }) => !boundary)
  expect(inside.length).toBeGreaterThan(5)
  expect(all.length).toBeGreaterThan(inside.length)
  for (const { oid, parents, side } of inside) {
    expect(side).not.toBeNull()
    for (const parent of parents) expect(listed.has(parent), `${parent} of ${oid}`).toBe(true)
  }
  expect(inside.some(({ children }) => children.length > 0)).toBe(true)
  const sources = await collect(repo.revListGraph(['main', 'tip-1'], { source: true }))
  const both = [await repo.resolve('tip-1'), await repo.resolve('main')]
  expect(new Set(sources.map(({ source }) => source))).toEqual(new Set(both))
  const plain = await collect(repo.revListGraph('main', { limit: 3 }))
  for (const commit of plain)
    expect(commit).toMatchObject({ side: null, children: [], source: null })
})

test('an ancestry path without a commit to begin with is BAD_INPUT', async () => {
  using repo = openSync(path.join(folder, 'plain'))
  const error = await errorOf(() => [...repo.revList('main', { ancestryPath: true })])
  expect(error).toMatchObject({ code: 'BAD_INPUT' })
  const ids = [...repo.revList('main', { ancestryPath: ['main~3'] })]
  expect(ids).toEqual(
    git(path.join(folder, 'plain'), ['rev-list', '--ancestry-path=main~3', 'main']),
  )
})

describe('rev-list on the command line', () => {
  const plain = path.join(folder, 'plain')
  test.each([
    ['--full-history', '--parents', 'main', '--', 'dir'],
    ['--children', 'main', '--', 'dir/a'],
    ['--simplify-merges', '--boundary', 'tip-1..main', '--', 'dir'],
    ['--simplify-by-decoration', '--parents', 'main'],
    ['--sparse', '--dense', 'main', '--', 'dir'],
    ['--show-pulls', 'main', '--', 'dir'],
    ['--ancestry-path', 'tip-1..main'],
    ['--ancestry-path=main~4', '--exclude-first-parent-only', 'main', '^tip-1'],
    ['--left-right', 'tip-1...main'],
    ['--left-right', '--count', 'tip-1...main'],
    ['--left-only', 'main...tip-1'],
    ['--count', '--boundary', 'tip-1...main'],
    ['--min-parents=2', '--max-parents=3', 'main'],
    ['--merges', '--no-min-parents', '--no-merges', '--no-max-parents', 'main'],
  ])('lists what git lists: %s', (...args) => {
    const { exit, stdout } = run(plain, ['rev-list', ...args])
    expect(stdout.toString()).toBe(`${git(plain, ['rev-list', ...args]).join('\n')}\n`)
    expect(exit).toBe(0)
  })

  test.each([
    [['--left-only', '--right-only', 'main'], 'cannot be used together'],
    [['--children', '--parents', 'main'], 'cannot be used together'],
    [['--ancestry-path=nothing', 'main'], 'could not get commit for --ancestry-path'],
    [['--objects', '--boundary', 'main'], 'does not support --boundary'],
  ])('refuses %j', (args, message) => {
    const { exit, stderr } = run(plain, ['rev-list', ...args])
    expect(exit).toBe(128)
    expect(stderr).toContain(message)
  })
})
