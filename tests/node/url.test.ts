/** Repositories on a real server: nginx. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Repository } from 'packlens'
import { open } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNginx } from '../../scripts/lib/nginx-server.mjs'
import { infoRefs, packList, type Served, serveFixtures } from './servers/served.ts'
import { collect, type Expected, errorOf, fixture, folderOf, sha256, whole } from './support.ts'

let withInfo: Served
let withoutInfo: Served
let server: { url: string; stop: () => Promise<void> }

beforeAll(async () => {
  withInfo = serveFixtures(whole)
  withoutInfo = serveFixtures(whole, { info: false })
  server = await startNginx([
    { prefix: '/info/', folder: withInfo.folder },
    { prefix: '/plain/', folder: withoutInfo.folder },
  ])
})

afterAll(async () => {
  await server?.stop()
  withInfo?.remove()
  withoutInfo?.remove()
})

function urlOf({ name }: { name: string }, kind: 'info' | 'plain' = 'info'): string {
  return `${server.url}/${kind}/${name}.git`
}

test('What the tests write for a server is what git writes', () => {
  const of = fixture('served')
  const file = (name: string) => readFileSync(path.join(folderOf(of), name), 'utf8')
  expect(infoRefs(of)).toBe(file('info/refs'))
  const sorted = (text: string) => text.split('\n').sort()
  expect(sorted(packList(folderOf(of)))).toEqual(sorted(file('objects/info/packs')))
})

describe.each(whole.map((of) => [of.name, of] as const))('%s', (_, of) => {
  test('has the same objects as on disk', async () => {
    await using repo = await open(urlOf(of))
    for (const { oid, type, size, sha256: digest } of of.objects) {
      const object = await repo.read(oid)
      expect([object.oid, object.type, object.size]).toEqual([oid, type, size])
      expect(sha256(object.data), oid).toBe(digest)
    }
  })

  test('has the same refs', async () => {
    await using repo = await open(new URL(urlOf(of)))
    const refs = await collect(repo.refs.list())
    const seen = refs.map(({ name, oid, peeled }) => ({ name, oid, peeled }))
    expect(seen).toEqual(of.refs.map(({ name, oid, peeled }) => ({ name, oid, peeled })))
    await hasEachRef(repo, of)
  })

  test('has the same refs without `info/refs`, but no list of them', async () => {
    await using repo = await open(`${urlOf(of, 'plain')}/`)
    await hasEachRef(repo, of)
    const error = await errorOf(() => collect(repo.refs.list()))
    expect([error.code, error.message]).toEqual([
      'UNSUPPORTED',
      expect.stringContaining('git update-server-info'),
    ])
  })
})

async function hasEachRef(repo: Repository, of: Expected): Promise<void> {
  for (const { name, oid } of of.refs) expect((await repo.refs.get(name))?.oid, name).toBe(oid)
  expect((await repo.refs.get('HEAD'))?.oid ?? null).toBe(of.head.oid)
}
