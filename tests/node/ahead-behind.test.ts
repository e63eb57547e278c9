/** How far commits are from another one, counted for many in one walk. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RefDistances } from '../../dist/node/cli/ref-format/ref-distances.js'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { run } from './cli-support.ts'
import { codeOf, errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-ahead-behind-'))
const withGraph = path.join(folder, 'graph')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let refs: readonly string[] = []
beforeAll(() => {
  for (const gitDir of [folder, withGraph]) {
    git(gitDir, ['init', '-q', '--bare', '--initial-branch=main', gitDir])
    git(gitDir, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 150))
    git(gitDir, ['tag', '-a', '-m', 'x', 'annotated', 'main~3'])
  }
  git(withGraph, ['commit-graph', 'write', '--reachable', '--no-progress'])
  refs = git(folder, ['for-each-ref', '--format=%(refname)'])
})

const expected = (base: string) =>
  refs.map((ref) => {
    const [line = ''] = git(folder, ['rev-list', '--left-right', '--count', `${ref}...${base}`])
    const [ahead = 0, behind = 0] = line.split('\t').map(Number)
    return { ahead, behind }
  })

describe.each([
  ['without a commit-graph', folder],
  ['with a commit-graph', withGraph],
])('%s', (_, gitDir) => {
  test('the numbers are those of git', async () => {
    using repo = openSync(gitDir)
    await using little = await open(gitDir, { memory: 1 << 20 })
    for (const base of ['main', 'tip-1', 'tip-20']) {
      const numbers = expected(base)
      expect(repo.aheadBehind(base, refs)).toEqual(numbers)
      expect(await little.aheadBehind(base, refs)).toEqual(numbers)
      expect(numbers.filter(({ ahead, behind }) => ahead > 0 && behind > 0).length).toBeGreaterThan(
        3,
      )
    }
    expect(repo.aheadBehind('main', [])).toEqual([])
  })

  test('for-each-ref prints them', () => {
    const format = '--format=%(ahead-behind:tip-1)'
    const { exit, stdout } = run(gitDir, ['--git-dir', gitDir, 'for-each-ref', format])
    const lines = expected('tip-1').map(({ ahead, behind }) => `${ahead} ${behind}\n`)
    expect([exit, `${stdout}`]).toEqual([0, lines.join('')])
  })
})

test('each commit is walked once for all', () => {
  const walked = (specs: readonly string[]) => {
    using repo = openSync(folder)
    repo.aheadBehind('main', specs)
    return repo.stats().commitsWalked
  }
  const each = refs.reduce((sum, ref) => sum + walked([ref]), 0)
  expect(walked(refs)).toBeLessThanOrEqual(150)
  expect(each).toBeGreaterThan(450)
})

test('the command line asks once for all listed refs', () => {
  const asked: string[][] = []
  const reader = {
    specs: (specs: string[]) => specs,
    pages({ specs }: { specs: string[] }, use: (page: Uint8Array) => void) {
      asked.push(specs)
      use(new Uint8Array(new Uint32Array(specs.map((_, at) => at)).buffer))
    },
  }
  const distances = new RefDistances(reader as never)
  const pairs = ['a', 'b', 'c', 'a'].map((one) => [one, 'c'] as const)
  const found = pairs.map(([one, other]) => distances.between(one, other, () => pairs))
  const [a, b, same] = [0, 2, 0].map((ahead, at) => ({ ahead, behind: at < 2 ? ahead + 1 : 0 }))
  expect(found).toEqual([a, b, same, a])
  expect(asked).toEqual([['a', 'c', 'b', 'c']])
})

test('what is no commit is an error', async () => {
  using repo = openSync(folder)
  expect(await codeOf(() => repo.aheadBehind('main', ['nowhere']))).toBe('NOT_FOUND')
  expect(await codeOf(() => repo.aheadBehind('nowhere', ['main']))).toBe('NOT_FOUND')
  expect(await errorOf(() => repo.aheadBehind('main', ['main^{tree}']))).toMatchObject({
    code: 'WRONG_TYPE',
  })
  expect(await codeOf(() => repo.aheadBehind('main', 'main' as never))).toBe('BAD_INPUT')
})
