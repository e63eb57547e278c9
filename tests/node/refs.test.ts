/** Calls about refs, compared with git's answers, from disk, memory and a worker. */
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RepoSource, Repository, Store } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { collect, filesBelow, root } from './support.ts'

const folder = path.join(root, 'target', 'fixtures', 'refs')
const linked = path.join(root, 'target', 'fixtures', 'worktree', 'linked')

/** The answers of git: tests/fixtures/batch/ask-refs.mjs. */
const recorded = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'batch', 'refs.json'), 'utf8'),
) as { cases: { args: string[]; stdout: string }[] }

function said(...args: string[]): string[] {
  const found = recorded.cases.find((one) => JSON.stringify(one.args) === JSON.stringify(args))
  if (!found) throw new Error(`git was not asked ${args.join(' ')}`)
  return Buffer.from(found.stdout, 'base64').toString().split('\n').filter(Boolean)
}

const ids = said('for-each-ref', '--format=%(refname)<%(objectname)>')
const tags = said('show-ref', '--dereference', '--tags')
const names = said('for-each-ref', '--format=%(refname)<%(refname)>').map(
  (line) => line.split('<')[0],
)

function inMemory(): Store {
  const files = new Map(filesBelow(folder).map((name) => [name, path.join(folder, name)]))
  return {
    get: (name) => {
      const file = files.get(name)
      return file === undefined ? null : readFileSync(file)
    },
    list: (name) => {
      const inside = [...files.keys()].filter((file) => file.startsWith(`${name}/`))
      return [
        ...new Set(inside.map((file) => /^[^/]*\/?/.exec(file.slice(name.length + 1))?.[0] ?? '')),
      ]
    },
  }
}

const ways: [string, () => Promise<Repository>][] = [
  ['disk', () => open(folder)],
  ['a store', () => open(inMemory())],
  ['a worker', () => open(folder, { worker: true })],
]

describe.each(ways)('Of a repository from %s', (_, openIt) => {
  test('refs are listed as by git', async () => {
    using repo = await openIt()
    const refs = await collect(repo.refs.list({ peel: true }))
    const led = refs.filter(({ oid }) => oid !== null)
    expect(led.map(({ name, oid }) => `${name}<${oid}>`)).toEqual(ids)
    const lines = led.flatMap(({ name, oid, peeled }) => {
      return [`${oid} ${name}`, ...(peeled ? [`${peeled} ${name}^{}`] : [])]
    })
    expect(lines.filter((line) => line.includes('refs/tags/'))).toEqual(tags)
    const unresolved = refs.filter(({ oid }) => oid === null).map(({ name }) => name)
    const broken = ['broken', 'circle', 'circle-back', 'dangling', 'empty', 'zero']
    expect(unresolved).toEqual(broken.map((name) => `refs/heads/${name}`))
  })

  test('refs that match a pattern are listed', async () => {
    using repo = await openIt()
    for (const pattern of ['refs/heads/a', 'refs/heads/a*', 'refs/heads/**', 'refs/head']) {
      const expected = said('for-each-ref', '--format=%(refname)', pattern)
      const refs = await collect(repo.refs.list({ pattern }))
      expect(
        refs.filter(({ oid }) => oid).map(({ name }) => name),
        pattern,
      ).toEqual(expected)
    }
    const several = await collect(repo.refs.list({ pattern: ['refs/*/[av]*', 'refs/heads/main'] }))
    expect(several.map(({ name }) => name)).toEqual(
      said('for-each-ref', '--format=%(refname)', 'refs/*/[av]*', 'refs/heads/main'),
    )
    const within = await collect(repo.refs.list({ prefix: 'refs/heads/a', pattern: 'refs/**/a*' }))
    expect(within.map(({ name }) => name)).toEqual(
      said('for-each-ref', '--format=%(refname)', 'refs/**/a*').filter((name) =>
        /heads.a/.test(name),
      ),
    )
  })

  test('refs that point at an object are listed', async () => {
    using repo = await openIt()
    for (const spec of ['main', 'annotated']) {
      const within = ['refs/heads', 'refs/tags/annotated', 'refs/tags/signed']
      const args = spec === 'main' ? ['--points-at=main', ...within] : ['--points-at', spec]
      const refs = await collect(repo.refs.pointsAt(spec))
      // This version of git does not peel a tag of a tag here.
      const found = refs
        .map(({ name }) => name)
        .filter((name) => spec !== 'main' || name !== 'refs/tags/of-tag')
      expect(found).toEqual(said('for-each-ref', '--format=%(refname)', ...args))
    }
  })

  test('refs that contain a commit are listed', async () => {
    using repo = await openIt()
    const found = async (spec: string, options = {}) =>
      (await collect(repo.refs.containing(spec, options))).map(({ name }) => name)
    expect(await found('side')).toEqual(
      said('for-each-ref', '--format=%(refname)', '--contains=side'),
    )
    const heads = said('for-each-ref', '--format=%(refname)', '--contains', 'main', 'refs/heads')
    expect(await found('main', { pattern: 'refs/heads' })).toEqual(heads)
    expect(await found('main', { prefix: 'refs/heads/' })).toEqual(heads)
    await expect(found('nope')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(found('main^{tree}')).rejects.toMatchObject({ code: 'WRONG_TYPE' })
  })

  test('short names are resolved', async () => {
    using repo = await openIt()
    const named = async (short: string) => (await repo.refs.resolve(short))?.name ?? null
    expect(await named('main')).toBe('refs/heads/main')
    expect(await named('heads/main')).toBe('refs/heads/main')
    expect(await named('annotated')).toBe('refs/tags/annotated')
    expect(await named('origin')).toBe('refs/remotes/origin/HEAD')
    expect(await named('HEAD')).toBe('HEAD')
    for (const nothing of ['nope', 'dangling', 'broken', 'circle', 'bad..name', '']) {
      expect(await named(nothing), nothing).toBeNull()
    }
    expect(await repo.refs.defaultBranch()).toBe('main')
  })

  test('names that conflict are reported', async () => {
    using repo = await openIt()
    const asked = ['main/x', 'a', 'new', 'new/er', 'empty/x', 'bad..x'].map(
      (name) => `refs/heads/${name}`,
    )
    const found = await repo.refs.checkAvailable(asked)
    expect(Object.fromEntries(found)).toMatchInlineSnapshot(`
      {
        "refs/heads/a": {
          "code": "is-prefix-of",
          "conflictsWith": "refs/heads/a/b",
          "message": "'refs/heads/a/b' exists; cannot create 'refs/heads/a'",
          "ok": false,
        },
        "refs/heads/bad..x": {
          "code": "bad-name",
          "conflictsWith": null,
          "message": "refusing to update ref with bad name 'refs/heads/bad..x'",
          "ok": false,
        },
        "refs/heads/empty/x": {
          "code": "exists",
          "conflictsWith": "refs/heads/empty",
          "message": "'refs/heads/empty' exists; cannot create 'refs/heads/empty/x'",
          "ok": false,
        },
        "refs/heads/main/x": {
          "code": "exists",
          "conflictsWith": "refs/heads/main",
          "message": "'refs/heads/main' exists; cannot create 'refs/heads/main/x'",
          "ok": false,
        },
        "refs/heads/new": {
          "code": "planned-together",
          "conflictsWith": "refs/heads/new/er",
          "message": "cannot process 'refs/heads/new' and 'refs/heads/new/er' at the same time",
          "ok": false,
        },
        "refs/heads/new/er": {
          "code": "planned-together",
          "conflictsWith": "refs/heads/new",
          "message": "cannot process 'refs/heads/new/er' and 'refs/heads/new' at the same time",
          "ok": false,
        },
      }
    `)
    const deleting = ['refs/heads/a/b', 'refs/heads/main']
    const freed = await repo.refs.checkAvailable(['refs/heads/a', 'refs/heads/main/x'], {
      deleting,
    })
    expect([...freed.values()].every(({ ok }) => ok)).toBe(true)
    const extra = ['refs/heads/new']
    const planned = await repo.refs.checkAvailable(['refs/heads/new/x'], { extra, initial: true })
    expect(planned.get('refs/heads/new/x')).toMatchObject({ code: 'planned-together' })
  })

  test('a reflog is listed, the newest entry first', async () => {
    using repo = await openIt()
    const nothing = '0'.repeat(40)
    for (const name of ['refs/heads/main', 'refs/heads/a/b', 'HEAD']) {
      const lines = readFileSync(path.join(folder, 'logs', name), 'utf8').split('\n')
      const entries = await collect(repo.refs.log(name))
      const shown = entries.map(({ oldOid, newOid, committer, message }) => {
        const who = Buffer.from(committer.raw).toString()
        const why = message === '' ? '' : `\t${message}`
        return `${oldOid ?? nothing} ${newOid ?? nothing} ${who}${why}`
      })
      expect(shown).toEqual(lines.filter(Boolean).reverse())
    }
    expect(await collect(repo.refs.log('refs/heads/nope'))).toEqual([])
  })
})

test('Synchronous answers are equal', () => {
  using repo = openSync(folder)
  const refs = repo.refs.list()
  expect(refs.filter(({ oid }) => oid).map(({ name }) => name)).toEqual(names)
  expect(repo.refs.resolve('main')?.name).toBe('refs/heads/main')
  expect(repo.refs.defaultBranch()).toBe('main')
  expect(repo.refs.pointsAt('annotated').map(({ name }) => name)).toEqual([
    'refs/tags/annotated',
    'refs/tags/of-tag',
  ])
  expect(repo.refs.checkAvailable(['refs/heads/b']).get('refs/heads/b')).toEqual({ ok: true })
  expect([...repo.refs.log('refs/heads/main')].length).toBeGreaterThan(3)
})

test('The reflog of a worktree is its own', () => {
  const common = path.join(linked, '..', 'repo', '.git')
  const lines = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean)
  using repo = openSync(linked)
  const asked = (name: string) => [...repo.refs.log(name)].map(({ newOid }) => newOid).reverse()
  const expected = (file: string) =>
    lines(path.join(common, file)).map((line) => line.split(' ')[1])
  expect(asked('HEAD')).toEqual(expected('worktrees/linked/logs/HEAD'))
  expect(asked('main-worktree/HEAD')).toEqual(expected('logs/HEAD'))
  expect(asked('worktrees/linked/HEAD')).toEqual(expected('worktrees/linked/logs/HEAD'))
  expect(expected('logs/HEAD')).not.toEqual(expected('worktrees/linked/logs/HEAD'))
})

test('The default branch is that of origin, else that of HEAD', async () => {
  const files: Record<string, string> = { HEAD: 'ref: refs/heads/work/here\n' }
  const source: RepoSource = {
    get: (name: string) => (name in files ? Buffer.from(files[name] ?? '') : null),
  }
  using repo = openSync(source, { objectFormat: 'sha1' })
  expect(repo.refs.defaultBranch()).toBe('work/here')
  files['refs/remotes/origin/HEAD'] = 'ref: refs/remotes/origin/trunk\n'
  expect(repo.refs.defaultBranch()).toBe('trunk')
  delete files['refs/remotes/origin/HEAD']
  files.HEAD = `${'a'.repeat(40)}\n`
  expect(repo.refs.defaultBranch()).toBeNull()
})

const copies: string[] = []
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true })
})

/** 5,000 refs, of which a listing has read some when git repacks them. */
test('A listing resumes in the packed-refs that git wrote meanwhile', async () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'packlens-refs-'))
  copies.push(copy)
  cpSync(folder, copy, { recursive: true })
  rmSync(path.join(copy, 'refs', 'heads'), { recursive: true })
  const line = (at: number, name: string) =>
    `${'a'.repeat(40)} refs/heads/${name}${`${at}`.padStart(4, '0')}\n`
  const header = '# pack-refs with: peeled fully-peeled sorted \n'
  const lines = (name: string) => Array.from({ length: 5000 }, (_, at) => line(at, name)).join('')
  const file = path.join(copy, 'packed-refs')
  writeFileSync(file, header + lines('old'))
  // Looking for replace refs would read the whole file into memory, and keep it.
  using repo = await open(copy, { replace: false })
  const found: string[] = []
  for await (const { name } of repo.refs.list()) {
    found.push(name)
    if (found.length === 1) {
      writeFileSync(`${file}.new`, header + line(1, 'fresh') + lines('older'))
      renameSync(`${file}.new`, file)
    }
  }
  expect(found).toEqual([...new Set(found)].sort())
  expect(found.filter((name) => name.startsWith('refs/heads/older')).length).toBe(5000)
})

test('A check of many names lists each directory once', async () => {
  const lines = Array.from(
    { length: 20_000 },
    (_, at) => `${'a'.repeat(40)} refs/heads/m${`${at}`.padStart(6, '0')}\n`,
  )
  const file = Buffer.from(`# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`)
  const source: RepoSource = { get: (name: string) => (name === 'packed-refs' ? file : null) }
  for (const worker of [false, true]) {
    using repo = await open(source, { objectFormat: 'sha1', worker })
    const asked = Array.from({ length: 10_000 }, (_, at) => `refs/heads/n${at}`)
    const found = await repo.refs.checkAvailable(asked)
    expect([...found.values()].every(({ ok }) => ok)).toBe(true)
    const { prefixChecks, refSeeks } = repo.stats()
    expect({ prefixChecks, refSeeks }).toEqual({ prefixChecks: 2, refSeeks: 10_000 })
  }
})

test.each(['files', 'tables'])('Names that stand for other refs are resolved: %s', async (kind) => {
  using repo = await open(path.join(root, 'target', 'fixtures', 'reflogs', kind))
  const named = async (short: string) => (await repo.refs.resolve(short))?.name
  expect(await named('@')).toBe('HEAD')
  expect(await named('main@{u}')).toBe('refs/remotes/origin/main')
  expect(await named('topic/one@{push}')).toBe('refs/remotes/origin/topic/one')
  expect(await named('@{-2}')).toBe('refs/heads/topic/one')
  expect(await repo.resolve('@{-2}')).toBe((await repo.refs.get('refs/heads/topic/one'))?.oid)
  await expect(repo.resolve('lonely@{u}')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    subject: "no upstream configured for branch 'lonely'",
  })
  await expect(repo.resolve('main@{9}')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    subject: "log for 'main' only has 3 entries",
  })
})
