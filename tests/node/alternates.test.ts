/** Repositories that borrow objects from others, opened from every kind of source. */
import fs, { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Repository } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNginx } from '../../scripts/lib/nginx-server.mjs'
import { packList } from './servers/served.ts'
import { codeOf, collect, fixture, folderOf, sha256 } from './support.ts'

const main = fixture('main')
const mixed = fixture('mixed')
const objects = [...main.objects, ...mixed.objects]
const ids = [...new Set(objects.map(({ oid }) => oid))].sort()

let top: string
let server: { url: string; stop: () => Promise<void> }

/**
 * The repository `borrower` has no objects. It names two alternates: one by an absolute path, and one
 * without objects that names a third one and `borrower` itself.
 */
beforeAll(async () => {
  top = mkdtempSync(path.join(os.tmpdir(), 'packlens-alternates-'))
  cpSync(folderOf(main), path.join(top, 'main.git'), { recursive: true })
  cpSync(folderOf(mixed), path.join(top, 'deep/mixed.git'), { recursive: true })
  borrow('borrower.git', `# from two\n${top}/main.git/objects\n\n../../between.git/objects\n`)
  borrow('between.git', '../../deep/mixed.git/objects\n../../borrower.git/objects/.\n')
  borrow('served.git', '/nowhere/objects\n', '/main.git/objects\n../../between.git/objects\n')
  for (const served of ['main.git', 'deep/mixed.git']) {
    const folder = path.join(top, served)
    mkdirSync(path.join(folder, 'objects/info'), { recursive: true })
    writeFileSync(path.join(folder, 'objects/info/packs'), packList(folder))
  }
  server = await startNginx([{ prefix: '/', folder: top }])
})

afterAll(async () => {
  await server?.stop()
  rmSync(top, { recursive: true, force: true })
})

function borrow(name: string, alternates: string, forServers?: string): void {
  const info = path.join(top, name, 'objects/info')
  mkdirSync(info, { recursive: true })
  mkdirSync(path.join(top, name, 'refs'))
  writeFileSync(path.join(top, name, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(path.join(top, name, 'packed-refs'), `${main.head.oid} refs/heads/main\n`)
  writeFileSync(path.join(info, 'alternates'), alternates)
  if (forServers) writeFileSync(path.join(info, 'http-alternates'), forServers)
}

const ways: [string, () => Promise<Repository>][] = [
  ['a path', () => open(path.join(top, 'borrower.git'))],
  [
    'a client',
    () => open({ fs: { promises: fs.promises }, gitdir: path.join(top, 'borrower.git') }),
  ],
  ['a worker', () => open(path.join(top, 'borrower.git'), { worker: true })],
  ['a URL', () => open(`${server.url}/served.git`)],
]

describe.each(ways)('From %s', (_, openIt) => {
  test('all objects are read, and unknown ids are missing', async () => {
    await using repo = await openIt()
    expect((await repo.read('HEAD')).oid).toBe(main.head.oid)
    for (const object of objects) {
      const { type, size, data } = await repo.read(object.oid)
      expect([type, size, sha256(data)]).toEqual([object.type, object.size, object.sha256])
    }
    expect(await codeOf(() => repo.read('1'.repeat(ids[0]?.length ?? 0)))).toBe('NOT_FOUND')
  })
})

describe.each(ways.slice(0, 3))('From %s, where directories can be listed', (_, openIt) => {
  test('all objects are listed once, and their ids can be shortened', async () => {
    await using repo = await openIt()
    const short = objects.at(-1)?.oid ?? ''
    expect(await repo.resolve(short.slice(0, 12))).toBe(short)
    for (const unordered of [false, true]) {
      const rows = await collect(repo.objects({ unordered, fields: 'info' }))
      const listed = rows.map((row) => ('oid' in row ? row.oid : ''))
      expect([...listed].sort()).toEqual(ids)
      if (!unordered) expect(listed).toEqual(ids)
    }
  })
})

test('Alternates are searched only for objects that the repository lacks', () => {
  const folder = path.join(top, 'main.git')
  writeFileSync(path.join(folder, 'objects/info/alternates'), '../../deep/mixed.git/objects\n')
  using repo = openSync(folder)
  repo.read(main.head.oid ?? '')
  const opened = repo.stats().filesOpened
  const elsewhere = mixed.objects.find(({ oid }) => main.objects.every((own) => own.oid !== oid))
  expect(repo.read(elsewhere?.oid ?? '').size).toBe(elsewhere?.size)
  expect(repo.stats().filesOpened).toBeGreaterThan(opened + 1)
})
