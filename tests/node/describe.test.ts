/** Commits are described as by git: tests/fixtures/describe.mjs, and git itself. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import type { DescribeOptions, SyncRepository } from 'packlens'
import { isPacklensError, open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { importTagged, taggedHistory } from '../fixtures/tagged-history.mjs'
import { environment, run } from './cli-support.ts'
import { looseObjects } from './sources.ts'
import { errorOf, root } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-describe-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const plain = path.join(folder, 'plain')
const withGraph = path.join(folder, 'graph')
let commits: readonly string[] = []

const recorded = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'describe.json'), 'utf8'),
) as { answers: Record<string, string> }

/** The options of the API for git's flags. */
const OPTIONS: Record<string, DescribeOptions> = {
  '': {},
  '--tags': { tags: true },
  '--all': { all: true },
  '--long': { long: true },
  '--tags --long --abbrev=10': { tags: true, long: true, abbrev: 10 },
  '--abbrev=0': { abbrev: 0 },
  '--candidates=1': { candidates: 1 },
  '--candidates=2 --tags': { candidates: 2, tags: true },
  '--candidates=3 --all': { candidates: 3, all: true },
  '--candidates=100': { candidates: 100 },
  '--first-parent': { firstParent: true },
  '--first-parent --tags --candidates=3': { firstParent: true, tags: true, candidates: 3 },
  '--exact-match': { exactMatch: true },
  '--match=v* --match=inner*': { match: ['v*', 'inner*'] },
  '--match=?*[0-4] --exclude=v?1* --tags': { match: '?*[0-4]', exclude: 'v?1*', tags: true },
  '--all --match=o/* --match=*-1': { all: true, match: new Set(['o/*', '*-1']) },
  '--always --match=v12*': { always: true, match: 'v12*' },
}

beforeAll(() => {
  for (const gitDir of [plain, withGraph]) importTagged(git, gitDir, taggedHistory(1, 220))
  commits = git(plain, ['rev-list', '--all'])
  git(withGraph, ['pack-refs', '--all'])
  git(withGraph, ['commit-graph', 'write', '--reachable', '--no-progress'])
})

/** Returns what git prints; empty if nothing describes the commit. */
function described(repo: SyncRepository, spec: string, options: DescribeOptions): string {
  try {
    return repo.describe(spec, options).toString()
  } catch (error) {
    if (isPacklensError(error, 'NOT_FOUND')) return ''
    throw error
  }
}

describe.each([
  ['with loose refs', () => plain],
  ['with packed refs and a commit-graph', () => withGraph],
])('%s', (_, dir) => {
  test.each(Object.entries(OPTIONS))('git describe %s', (flags, options) => {
    using repo = openSync(dir())
    const own = commits.map((commit) => described(repo, commit, options))
    expect(own).toEqual(recorded.answers[flags]?.split('\n'))
    expect(own.filter((line) => line !== '').length).toBeGreaterThan(30)
  })
})

test('every recorded answer is compared', () => {
  expect(Object.keys(OPTIONS).sort()).toEqual(Object.keys(recorded.answers).sort())
})

test('a commit-graph spares the objects of commits', () => {
  const objects = (commitGraph: boolean) => {
    using repo = openSync(withGraph, { commitGraph })
    const lines = commits.slice(0, 20).map((commit) => described(repo, commit, { match: 'v*' }))
    return { lines, objects: repo.stats().objects }
  }
  const [without, graph] = [objects(false), objects(true)]
  expect(graph.lines).toEqual(without.lines)
  expect(graph.objects).toBeLessThan(without.objects / 2)
})

test('a description has a name, a depth and ids', async () => {
  using repo = openSync(plain)
  const own = commits.map((commit) => repo.describe(commit, { tags: true, always: true }))
  const format = '--format=%(objectname) %(objecttype) %(refname)'
  const stored = new Map(
    git(plain, ['for-each-ref', format]).map((line) => {
      const [oid, type, name = ''] = line.split(' ')
      return [name, [oid, type]] as const
    }),
  )
  for (const [at, one] of own.entries()) {
    const { name, depth, oid, tag, ref } = one
    expect(oid).toBe(commits[at])
    if (ref === null) {
      expect({ name, tag, depth, bytes: one.nameBytes }).toEqual({
        name: null,
        tag: null,
        depth: 0,
        bytes: null,
      })
      continue
    }
    expect(`${one}`.startsWith(name ?? '-')).toBe(true)
    const [target, type] = stored.get(ref) ?? []
    expect(target).toBeDefined()
    expect(tag).toBe(type === 'tag' ? target : null)
  }
  expect(own.filter(({ tag }) => tag !== null).length).toBeGreaterThan(30)
  expect(own.filter(({ ref, tag }) => ref !== null && tag === null).length).toBeGreaterThan(5)
  expect(own.filter(({ name, ref }) => ref !== null && ref !== `refs/tags/${name}`)).not.toEqual([])
  const [one] = own
  if (!one) throw new Error('no commits')
  const { name, depth, oid, tag, ref } = one
  expect(JSON.parse(JSON.stringify(one))).toEqual({ name, depth, oid, tag, ref })
  expect(inspect(one)).toBe(inspect(one.toJSON()))
  await using there = await open(plain, { worker: true })
  const inWorker = await there.describe(oid, { tags: true })
  expect([inWorker.toJSON(), `${inWorker}`]).toEqual([one.toJSON(), `${one}`])
})

test('bytes of names that are not UTF-8 are kept', () => {
  using repo = openSync(plain)
  const spec = git(plain, ['rev-parse', 'tip-0'])[0] ?? ''
  const other = repo.describe(spec, { tags: true, match: '?', long: true })
  expect([...(other.nameBytes ?? [])]).toEqual([0xff])
})

test('why nothing describes a commit', async () => {
  using repo = openSync(plain)
  const ask = (spec: string, options: DescribeOptions = {}) =>
    errorOf(() => repo.describe(spec, options))
  const commit = commits.find((id) => described(repo, id, { exactMatch: true }) === '') ?? ''
  expect(await ask(commit, { exactMatch: true, always: true })).toMatchObject({
    code: 'NOT_FOUND',
    subject: commit,
  })
  const nothing = /No names found/
  expect((await ask(commit, { match: 'nothing' })).message).toMatch(nothing)
  expect((await ask('nothing', { match: 'nothing' })).message).toMatch(nothing)
  expect(await ask('nothing')).toMatchObject({ code: 'NOT_FOUND', subject: 'nothing' })
  expect(await ask('HEAD^{tree}')).toMatchObject({ code: 'WRONG_TYPE' })
})

/** Runs both programs, and compares all that they print. */
function compare(gitDir: string, args: readonly string[]) {
  const all = ['--git-dir', gitDir, 'describe', ...args]
  const { status, stdout, stderr } = spawnSync('git', all, { env: environment })
  const own = run(folder, all)
  const [printed, errors] = [
    own.stdout.toString('latin1'),
    own.stderr.replaceAll('packlens', 'git'),
  ]
  expect({ exit: own.exit, printed, errors }, args.join(' ')).toEqual({
    exit: status,
    printed: stdout.toString('latin1'),
    errors: stderr.toString(),
  })
  return { printed, errors }
}

test('the command prints what git prints, and its messages', () => {
  const of = (prefix: string) => {
    const lines = git(plain, ['for-each-ref', '--format=%(objectname) %(refname)', prefix])
    return lines.map((line) => line.slice(41).replace('refs/tags/', ''))
  }
  const [moved = '', second = ''] = of('refs/tags/moved*')
  const [light = ''] = of('refs/tags/light*')
  const [outer = ''] = of('refs/tags/outer')
  const rootCommit = git(plain, ['rev-list', '--max-parents=0', 'main']).at(-1) ?? ''
  for (const args of [
    [],
    ['main', 'main~1', 'tip-0'],
    ['--all', 'main~2'],
    ['--tags', '--abbrev=0', '--first-parent', 'main'],
    ['--abbrev', '--no-long', '--exact-match', '--candidates=10', 'main~3'],
    ['--no-candidates', 'main~3'],
    ['--abbrev=1', 'main'],
    ['--abbrev=99', 'main'],
    ['--no-abbrev', 'main'],
    ['--candidates=7', 'main'],
    ['--match', 'x*', '--no-match', '--exclude', 'v*', '--', 'main'],
    [moved, second, moved],
    ['--all', moved],
    ['--long', outer],
    [light],
    ['--exact-match', light],
    ['--exact-match', '--always', light],
    ['--match=nothing', 'main'],
    ['--match=nothing', '--always', 'main'],
    ['--match=nothing', '--always', '--abbrev=0', 'main'],
    ['--match=gone*', '--match=0-*', rootCommit],
    ['--match=v9*', rootCommit],
    ['main', 'nothing', 'main'],
    ['main^{tree}'],
    ['main:nothing'],
    [''],
    ['--long', '--abbrev=0'],
    ['--abbrev=x'],
    ['--match'],
  ]) {
    compare(plain, args)
  }
  expect(compare(plain, [moved, moved]).errors).toMatch(/^warning: tag '.*' is externally.*\n$/)
})

test('the command refuses what it does not know', () => {
  for (const args of [['--dirty'], ['--broken=x'], ['--debug']]) {
    const { exit, stderr } = run(folder, ['--git-dir', plain, 'describe', ...args])
    expect([exit, stderr]).toEqual([
      128,
      expect.stringMatching(/^fatal: packlens describe does not support/),
    ])
  }
  expect(run(folder, ['--git-dir', plain, 'describe', '--candidates=x'])).toMatchObject({
    exit: 129,
  })
})

test('ids of 32 bytes', () => {
  const gitDir = path.join(folder, 'sha256')
  git(gitDir, ['init', '-q', '--bare', '--object-format=sha256', gitDir])
  const person = 'A U Thor <author@example.com> 1300000000 +0000'
  const commit = (mark: number) =>
    `commit refs/heads/main\nmark :${mark}\ncommitter ${person}\ndata 1\n${mark}\n`
  const tag = `tag v1\nfrom :1\ntagger ${person}\ndata 0\n\n`
  const stream = Buffer.from(`${commit(1)}${tag}${commit(2)}done\n`)
  git(gitDir, ['fast-import', '--quiet', '--done'], stream)
  using repo = openSync(gitDir)
  for (const spec of ['main', 'main~1']) {
    expect(`${repo.describe(spec, { long: true })}`).toBe(
      git(gitDir, ['describe', '--long', spec])[0],
    )
  }
})

describe('damage', () => {
  const person = 'A U Thor <author@example.com> 1300000000 +0000'
  const tree = looseObjects([['tree', '']]).oids[0]
  const id = (type: string, content: string) => looseObjects([[type, content]]).oids[0] ?? ''
  const commit = (parent: string) =>
    `tree ${tree}\n${parent && `parent ${parent}\n`}author ${person}\ncommitter ${person}\n\n`
  const first = commit('')
  const second = commit(id('commit', first))
  const tag = (name: string, seconds = 1) =>
    `object ${id('commit', first)}\ntype commit\ntag ${name}\ntagger A <a@b> ${seconds} +0000\n\n`
  const tip = id('commit', second)
  const at = (oid: string) => `objects/${oid.slice(0, 2)}/${oid.slice(2)}`

  /** Writes the objects and refs to a folder; a replacement is stored in place of an object. */
  function repository(
    name: string,
    objects: [type: string, content: string][],
    refs: Record<string, string>,
    replacement?: [oid: string, type: string, content: string],
  ) {
    const gitDir = path.join(folder, name)
    git(gitDir, ['init', '-q', '--bare', gitDir])
    const write = (oid: string, type: string, content: string) => {
      const { store, oids } = looseObjects([[type, content]])
      const file = path.join(gitDir, at(oid))
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, store.get(at(oids[0] ?? '')) as Uint8Array)
    }
    for (const [type, content] of objects) write(id(type, content), type, content)
    if (replacement) write(...replacement)
    for (const [ref, oid] of Object.entries(refs)) {
      writeFileSync(path.join(gitDir, 'refs', 'tags', ref), `${oid}\n`)
    }
    return gitDir
  }

  test('a commit with the content of another is reported', async () => {
    const objects: [string, string][] = [
      ['commit', first],
      ['commit', second],
      ['tag', tag('v1')],
    ]
    const refs = { v1: id('tag', tag('v1')) }
    using good = openSync(repository('good', objects, refs))
    expect(good.describe(tip).name).toBe('v1')
    const other: [string, string, string] = [id('commit', first), 'commit', `${first}other\n`]
    using bad = openSync(repository('bad', objects, refs, other))
    expect(await errorOf(() => bad.describe(tip))).toMatchObject({
      code: 'CORRUPT',
      subject: id('commit', first),
    })
  })

  test('a tag with the content of another is reported', async () => {
    const objects: [string, string][] = [
      ['commit', first],
      ['commit', second],
      ['tag', tag('v1', 5)],
    ]
    const oid = id('tag', tag('v1', 5))
    const gitDir = repository('tag', objects, {}, [oid, 'tag', tag('v1', 6)])
    const header = '# pack-refs with: peeled fully-peeled sorted \n'
    const packed = `${header}${oid} refs/tags/v1\n^${id('commit', first)}\n`
    writeFileSync(path.join(gitDir, 'packed-refs'), packed)
    using bad = openSync(gitDir)
    expect(await errorOf(() => bad.describe(tip))).toMatchObject({ code: 'CORRUPT', subject: oid })
  })

  test('a ref without its object describes nothing, and no other commit', async () => {
    const gitDir = repository(
      'missing',
      [
        ['commit', first],
        ['commit', second],
      ],
      {
        lost: 'ab'.repeat(20),
        light: id('commit', first),
      },
    )
    using repo = openSync(gitDir)
    expect(`${repo.describe(tip, { tags: true, abbrev: 8 })}`).toBe(
      git(gitDir, ['describe', '--tags', '--abbrev=8', tip])[0],
    )
    rmSync(path.join(gitDir, at(id('commit', first))))
    using broken = openSync(gitDir)
    expect(await errorOf(() => broken.describe(tip, { tags: true }))).toMatchObject({
      code: 'NOT_FOUND',
      subject: id('commit', first),
    })
  })
})
