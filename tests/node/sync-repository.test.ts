/** Synchronous calls return the same answers as promises. */
import path from 'node:path'
import type { FsckProgress, OpenProgress, RefChange } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { packFiles } from './sources.ts'
import { errorOf, fixture, folderOf } from './support.ts'

describe.each(['main', 'sha256', 'mixed', 'reftable'])('Synchronous calls on %s', (name) => {
  const of = fixture(name)

  test('fsck returns the same findings, and reports its progress before it returns', async () => {
    using repo = await open(folderOf(of))
    using sync = openSync(folderOf(of))
    const phases = new Set<FsckProgress['phase']>()
    const found = sync.fsck({ onProgress: ({ phase }) => phases.add(phase) })
    expect(found).toEqual(await repo.fsck())
    expect(phases).toContain('objects')
  })

  test('checkPack accepts the same packs', async () => {
    using repo = await open(folderOf(of))
    using sync = openSync(folderOf(of))
    const packs = packFiles(of).map(({ pack }) => path.basename(pack))
    expect(packs.length).toBeGreaterThan(0)
    for (const pack of packs) {
      const reported: OpenProgress[] = []
      const facts = sync.checkPack(pack, { onProgress: (progress) => reported.push(progress) })
      expect(facts).toEqual(await repo.checkPack(pack))
      expect(reported.at(-1)?.done).toBe(reported.at(-1)?.total)
    }
    const error = await errorOf(() => sync.checkPack('pack-of-nobody'))
    expect(error.code).toBe('NOT_FOUND')
  })

  test('a plan of refs is equal, and so are the files that git would store', async () => {
    using repo = await open(folderOf(of))
    using sync = openSync(folderOf(of))
    const oid = of.head.oid ?? ''
    const changes: RefChange[] = [
      { type: 'create', name: 'refs/heads/new', oid },
      { type: 'update', name: 'HEAD', oid },
    ]
    const [plan, now] = [await repo.refs.plan(changes), sync.refs.plan(changes)]
    expect([now.ok, now.errors, now.moves]).toEqual([true, plan.errors, plan.moves])
    expect(now.moves.map(({ name }) => name)).toContain('refs/heads/new')
    expect(now.toPackedRefs()).toEqual(await plan.toPackedRefs())
    expect(now.toReftable()).toEqual(await plan.toReftable())
    const refused: RefChange[] = [
      { type: 'create', name: 'refs/heads/new', oid: '1'.repeat(oid.length) },
      { type: 'delete', name: 'refs/heads/there-is-none', expected: oid },
      { type: 'create', name: 'HEAD', oid },
    ]
    const [refusal, same] = [await repo.refs.plan(refused), sync.refs.plan(refused)]
    expect(same.errors).toEqual(refusal.errors)
    expect(same.errors.length).toBeGreaterThan(2)
    expect((await errorOf(() => same.toPackedRefs())).code).toBe('BAD_INPUT')
  })
})
