/** Commits of two sides that make the same change, and revisions given by patterns and on standard input. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { cherryHistory, QUESTIONS } from '../fixtures/cherry-history.mjs'
import { run } from './cli-support.ts'
import { codeOf, collect, root } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cherry-'))
const withGraph = path.join(folder, 'graph')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  for (const gitDir of [folder, withGraph]) {
    git(gitDir, ['init', '-q', '--bare', '--initial-branch=main', gitDir])
    git(gitDir, ['fast-import', '--quiet', '--done', '--force'], cherryHistory())
  }
  git(withGraph, ['commit-graph', 'write', '--reachable', '--no-progress'])
})

interface Recorded {
  readonly args: readonly string[]
  readonly stdin: string
  readonly exit: number
  readonly size: number
  readonly sha256: string
  readonly error: string
}

const recorded: Recorded[] = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'cherry.json'), 'utf8'),
)

test('all questions are recorded', () => {
  const asked = recorded.map(({ args, stdin }) => [args.join(' '), ...(stdin ? [stdin] : [])])
  expect(asked).toEqual(QUESTIONS.map((question) => question.filter((part) => part !== '')))
})

test.each(
  recorded.map((one) => [`${one.args.join(' ')} ${JSON.stringify(one.stdin)}`, one] as const),
)('git %s', (_, { args, stdin, ...expected }) => {
  for (const gitDir of [folder, withGraph]) {
    const { exit, stdout, stderr } = run(gitDir, ['--git-dir', gitDir, ...args], { stdin })
    const [error] = stderr.split('\n')
    const sha256 = createHash('sha256').update(stdout).digest('hex')
    expect({ exit, size: stdout.length, sha256, error }).toEqual(expected)
  }
})

test('revList leaves them out, and revListGraph marks them', async () => {
  using repo = openSync(folder)
  const all = [...repo.revList('left...right')]
  const picked = [...repo.revList('left...right', { cherryPick: true })]
  expect(picked.length).toBeLessThan(all.length)
  const graph = [...repo.revListGraph('left...right', { cherryMark: true })]
  expect(graph.map(({ oid }) => oid)).toEqual(all)
  const others = graph.filter(({ equivalent }) => !equivalent)
  expect(others.map(({ oid }) => oid)).toEqual(picked)
  expect(repo.countCommits('left...right', { cherryPick: true })).toBe(picked.length)
  const marked = [...repo.revListGraph('left...right', { cherryMark: true, leftRight: true })]
  expect(marked.filter(({ side }) => side === null).every(({ equivalent }) => equivalent)).toBe(
    true,
  )
  await using little = await open(folder, { memory: 1 << 20 })
  expect(await collect(little.revList('left...right', { cherryPick: true }))).toEqual(picked)
  const both = { cherryPick: true, cherryMark: true }
  expect(await codeOf(() => [...repo.revListGraph('left...right', both)])).toBe('BAD_INPUT')
})

test('files are read only where both sides change the same ones', async () => {
  const gitDir = path.join(folder, 'without-blobs')
  git(gitDir, ['init', '-q', '--bare', '--initial-branch=main', gitDir])
  const loose = ['-c', 'fastimport.unpackLimit=10000']
  git(gitDir, [...loose, 'fast-import', '--quiet', '--done', '--force'], cherryHistory())
  const objects = git(gitDir, ['cat-file', '--batch-all-objects', '--batch-check'])
  for (const line of objects) {
    const [oid = '', type] = line.split(' ')
    if (type === 'blob') rmSync(path.join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2)))
  }
  using repo = openSync(gitDir)
  const listed = (path: string) => [...repo.revList('left...right', { cherryPick: true, path })]
  // The new file has another mode on each side.
  expect(listed('run').length).toBe(2)
  expect(await codeOf(() => listed('new.txt'))).toBe('NOT_FOUND')
})
