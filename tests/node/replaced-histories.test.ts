/** Histories that differ from their objects: replace refs, grafts and shallow clones. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { expect, test } from 'vitest'
import { unpacked } from './cli-support.ts'
import { codeOf, collect } from './support.ts'

const at = (name: string) => path.join(unpacked, 'boundaries', name)
const utf8 = new TextDecoder()

test('Objects are replaced, unless an option disables it', async () => {
  const folder = at('replaced.git')
  for (const worker of [false, true]) {
    await using repo = await open(folder, { worker })
    await using plain = await open(folder, { worker, replace: false })
    const oid = await repo.resolve('main:file-1')
    expect(await plain.resolve('main:file-1')).toBe(oid)
    const [here, there] = [await repo.read(oid), await plain.read(oid)]
    expect([here.oid, utf8.decode(here.data)]).toEqual([oid, 'third content\n'])
    expect([there.oid, utf8.decode(there.data)]).toEqual([oid, 'line 1\n'])
    expect((await repo.info(oid)).size).toBe(14)
    const [row] = await repo.readMany([oid], { order: 'pack' })
    expect(row?.type === 'blob' && [row.oid, utf8.decode(row.data)]).toEqual([
      oid,
      utf8.decode(here.data),
    ])
    const chunks = await collect(repo.stream(oid))
    expect(chunks.map((chunk) => utf8.decode(chunk)).join('')).toBe('third content\n')
    // A listing has objects in stored form.
    for (const unordered of [false, true]) {
      const rows = await collect(repo.objects({ unordered }))
      const found = rows.find((row) => 'oid' in row && row.oid === oid)
      expect(found?.type === 'blob' && utf8.decode(found.data)).toBe('line 1\n')
    }
    expect((await collect(repo.revList('main'))).length).toBe(3)
    expect((await collect(plain.revList('main'))).length).toBe(7)
  }
})

test('A missing replacement is NOT_FOUND, and a cycle of replacements is an error', async () => {
  using repo = openSync(at('replaced.git'))
  const oid = repo.resolve('main:file-4')
  const round = repo.resolve('main:file-2')
  expect(await codeOf(() => repo.read(round))).toBe('LIMIT')
  const pack = repo.info(oid).pack ?? ''
  const { readFileSync } = await import('node:fs')
  const bytes = readFileSync(path.join(at('replaced.git'), pack))
  using alone = openSync({
    packs: [{ pack: bytes }],
    refs: { [`refs/replace/${oid}`]: '1'.repeat(40), [`refs/replace/${round}`]: oid },
  })
  expect(alone.find(oid)).toBe(null)
  expect(alone.find(round)).toBe(null)
})

test('`core.useReplaceRefs` is respected, and replace refs are read at the opening and by `refresh`', async () => {
  const top = mkdtempSync(path.join(os.tmpdir(), 'packlens-boundaries-'))
  try {
    const folder = path.join(top, 'replaced.git')
    cpSync(at('replaced.git'), folder, { recursive: true })
    using repo = openSync(folder)
    const [oid, other] = [repo.resolve('main:merged'), repo.resolve('main:last')]
    writeFileSync(path.join(folder, `refs/replace/${oid}`), `${other}\n`)
    expect(utf8.decode(repo.read(oid).data)).toBe('merged\n')
    repo.refresh()
    expect(utf8.decode(repo.read(oid).data)).toBe('last\n')
    writeFileSync(path.join(folder, 'config'), '[core]\n\tuseReplaceRefs = false\n')
    using plain = openSync(folder)
    expect(utf8.decode(plain.read(oid).data)).toBe('merged\n')
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
})

test('The next walk sees that a shallow clone was deepened', async () => {
  const top = mkdtempSync(path.join(os.tmpdir(), 'packlens-boundaries-'))
  try {
    const folder = path.join(top, 'pruned.git')
    cpSync(at('pruned.git'), folder, { recursive: true })
    using repo = openSync(folder)
    expect([...repo.revList('main')].length).toBe(4)
    expect(await codeOf(() => repo.resolve('main~3'))).toBe('NOT_FOUND')
    rmSync(path.join(folder, 'shallow'))
    rmSync(path.join(folder, 'info'), { recursive: true })
    expect([...repo.revList('main')].length).toBe(7)
    expect(repo.resolve('main~3')).toMatch(/^[0-9a-f]{40}$/)
    writeFileSync(path.join(folder, 'shallow'), 'no id\n')
    expect(await codeOf(() => [...repo.revList('main')])).toBe('CORRUPT')
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
})
