/**
 * The reftable of a plan equals, byte for byte, the one that git 2.55 wrote for the same refs.
 * Recorded by tests/fixtures/refs/record-tables.mjs, with what git read from tables
 * of Dulwich: tests/fixtures/reftable/make-dulwich.sh.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RefChange, Repository, Store } from 'packlens'
import { open } from 'packlens'
import { expect, test } from 'vitest'
import { tableCases } from '../fixtures/refs/table-cases.mjs'
import { codeOf, collect, root, sha256 } from './support.ts'

const fixtures = path.join(root, 'target', 'fixtures')

interface Recorded {
  name: string
  size: number
  sha256: string
  refs?: string[]
  refsSha256?: string
}

const { cases: recorded } = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'refs', 'tables.json'), 'utf8'),
) as { cases: Recorded[] }

function caseOf(name: string) {
  const found = tableCases.find((one) => one.name === name)
  if (!found) throw new Error(`there is no case ${name}`)
  return found
}

/** Returns the changes of a case, with ids of the repository. */
async function changesOf(repo: Repository, made: (typeof tableCases)[number]['changes']) {
  const ids = new Map<string, string>()
  const specs = new Set<string>()
  made((spec: string) => {
    specs.add(spec)
    return ''
  })
  for (const spec of specs) ids.set(spec, await repo.resolve(spec))
  return made((spec: string) => ids.get(spec) ?? '') as RefChange[]
}

/** Makes a repository with reftables, the oldest first, and no objects. */
function storeOf(tables: Uint8Array[], format: string): Store {
  const text = (lines: string[]) => new TextEncoder().encode(`${lines.join('\n')}\n`)
  const files: Record<string, Uint8Array> = {
    config: text([
      '[core]',
      'repositoryformatversion = 1',
      '[extensions]',
      'refStorage = reftable',
      `objectFormat = ${format}`,
    ]),
    'reftable/tables.list': text(tables.map((_, at) => `${at}.ref`)),
  }
  for (const [at, table] of tables.entries()) files[`reftable/${at}.ref`] = table
  return { get: (name) => files[name] ?? null, list: () => [] }
}

async function lastOf(repo: Repository, target: string | null): Promise<string> {
  if (target === null) return ''
  return (await lastOf(repo, (await repo.refs.get(target))?.target ?? null)) || target
}

/** Returns the refs that resolve, in the format that git printed. */
async function linesOf(own: Repository): Promise<string[]> {
  const listed = await collect(own.refs.list({ peel: true }))
  for (const name of ['HEAD', 'ORIG_HEAD', 'CHERRY_PICK_HEAD']) {
    const ref = await own.refs.get(name)
    if (ref) listed.push(ref)
  }
  const lines: string[] = []
  for (const { name, oid, peeled, target } of listed) {
    // git omits refs that do not resolve, and prints the last of several symbolic refs.
    if (oid !== null) lines.push(`${name} ${oid} ${peeled ?? ''} ${await lastOf(own, target)}`)
  }
  return lines.sort()
}

test.each(recorded)('The table of refs $name is what git wrote and read', async (recorded) => {
  const { folder, changes } = caseOf(recorded.name)
  using repo = await open(path.join(fixtures, folder))
  const plan = await repo.refs.plan(await changesOf(repo, changes))
  expect(plan.errors).toEqual([])
  const table = await plan.toReftable()
  expect([table.byteLength, sha256(table)]).toEqual([recorded.size, recorded.sha256])

  const format = (await repo.resolve('HEAD')).length === 64 ? 'sha256' : 'sha1'
  using own = await open(storeOf([table], format))
  const lines = await linesOf(own)
  if (recorded.refs) expect(lines).toEqual(recorded.refs)
  else expect(sha256(Buffer.from(lines.join('\n')))).toBe(recorded.refsSha256)
})

test('A worker makes the same table', async () => {
  const { folder, changes } = caseOf('changed')
  using repo = await open(path.join(fixtures, folder), { worker: true })
  const plan = await repo.refs.plan(await changesOf(repo, changes))
  const { sha256: right } = recorded.find(({ name }) => name === 'changed') as Recorded
  expect(sha256(await plan.toReftable())).toBe(right)
})

test('git was asked about every case', () => {
  expect(recorded.map(({ name }) => name)).toEqual(tableCases.map(({ name }) => name))
})

test('A plan’s reftable finds the refs that point at an object', async () => {
  const made = caseOf('in many blocks, main')
  using repo = await open(path.join(fixtures, 'main'))
  const plan = await repo.refs.plan(await changesOf(repo, made.changes))
  using own = await open(storeOf([await plan.toReftable()], 'sha1'))
  const oid = await repo.resolve('main~1')
  const found = await collect(own.refs.pointsAt(oid, { direct: true }))
  const all = await collect(own.refs.list())
  expect(found).toEqual(all.filter((ref) => ref.oid === oid && ref.target === null))
  expect(found.length).toBeGreaterThan(20)
})

test('A plan that git would refuse has no reftable', async () => {
  using repo = await open(path.join(fixtures, 'main'))
  const oid = await repo.resolve('HEAD')
  const plan = await repo.refs.plan([{ type: 'create', name: 'refs/heads/main/x', oid }])
  expect(plan.ok).toBe(false)
  expect(await codeOf(() => plan.toReftable())).toBe('BAD_INPUT')
  const short = [{ type: 'create', name: 'refs/heads/x', oid: oid.slice(1) }] as const
  expect(await codeOf(() => repo.refs.plan(short))).toBe('BAD_INPUT')
})

const byDulwich = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'reftable', 'answers-dulwich.json'), 'utf8'),
) as Record<string, { refs: string[] }>

function dulwich(name: string): Uint8Array[] {
  const folder = path.join(fixtures, 'reftables-dulwich', name)
  const list = readdirSync(folder).filter((file) => file.endsWith('.ref'))
  return list.sort().map((file) => readFileSync(path.join(folder, file)))
}

test.each(Object.entries(byDulwich))(
  'Refs that git reads in %s are read',
  async (name, { refs }) => {
    using own = await open(storeOf(dulwich(name), 'sha1'))
    expect(await linesOf(own)).toEqual([...refs].sort())
  },
)

test('A table of Dulwich that git cannot read is refused', async () => {
  using own = await open(storeOf(dulwich('dulwich-shared'), 'sha1'))
  expect(await codeOf(() => own.refs.get('refs/heads/b002'))).toBe('CORRUPT')
  expect(await codeOf(() => collect(own.refs.list()))).toBe('CORRUPT')
})
