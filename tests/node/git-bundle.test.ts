/** Bundles of git, opened as repositories. Those of Mercurial are in framing-bundle2.test.ts. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { ByteSource, Repository } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { run, unpacked } from './cli-support.ts'
import { codeOf, collect, errorOf } from './support.ts'

const at = (name: string) => path.join(unpacked, 'bundles', name)
const bytesOf = (name: string) => new Uint8Array(readFileSync(at(name)))

/** Returns an empty pack. */
function emptyPack(): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  return Buffer.concat([head, createHash('sha1').update(head).digest()])
}

const origin = openSync(at('repo.git'))
const originRefs = origin.refs.list().map(({ name, oid }) => [name, oid])

async function expectSameHistory(repo: Repository): Promise<void> {
  expect((await collect(repo.refs.list())).map(({ name, oid }) => [name, oid])).toEqual(originRefs)
  expect((await repo.refs.get('HEAD'))?.oid).toBe(origin.resolve('HEAD'))
  const commits = await collect(repo.revList('HEAD', { all: true }))
  expect(commits).toEqual([...origin.revList('HEAD', { all: true })])
  for (const row of origin.objects()) {
    if (!('oid' in row)) throw new Error(row.type)
    expect(Buffer.from((await repo.read(row.oid)).data).equals(row.data)).toBe(true)
  }
}

describe.each(['whole-v2.bundle', 'whole-v3.bundle'])('%s', (name) => {
  const bytes = bytesOf(name)
  const sources: [string, () => ByteSource][] = [
    ['bytes', () => bytes],
    ['a Blob', () => new Blob([bytes])],
    [
      'a file read by ranges',
      () => ({
        size: bytes.byteLength,
        read: async (offset: number, length: number) => bytes.slice(offset, offset + length),
      }),
    ],
  ]
  test.each(sources)('has all objects and refs, given as %s', async (_, source) => {
    for (const worker of [false, true]) {
      await using repo = await open({ bundle: source() }, { worker })
      await expectSameHistory(repo)
    }
  })

  test('opens synchronously if it is in memory', () => {
    using repo = openSync({ bundle: bytes })
    expect(repo.resolve('HEAD~2^{tree}')).toBe(origin.resolve('HEAD~2^{tree}'))
    expect(repo.info('HEAD').pack).toBe('objects/pack/pack-bundle.pack')
  })
})

test('SHA-256', async () => {
  await using repo = await open({ bundle: bytesOf('sha256.bundle') })
  const head = await repo.read('HEAD')
  expect([head.oid.length, head.type]).toEqual([64, 'commit'])
  expect((await collect(repo.revList('HEAD'))).length).toBe(4)
})

test('Objects that a filter excluded are promised', async () => {
  await using repo = await open({ bundle: bytesOf('filtered.bundle') })
  expect((await collect(repo.walk('HEAD', { recursive: true }))).length).toBeGreaterThan(4)
  expect(await codeOf(() => repo.read('HEAD:long'))).toBe('PROMISED')
  expect(await codeOf(() => repo.read('1'.repeat(40)))).toBe('NOT_FOUND')
})

test('A damaged or truncated bundle is an error with the offset', async () => {
  const error = await errorOf(() => open({ bundle: bytesOf('cut.bundle') }))
  expect([error.code, error.file]).toEqual(['CORRUPT', 'objects/pack/pack-bundle.pack'])
})

test('Verifying a bundle needs a repository', () => {
  const answer = run(os.tmpdir(), ['bundle', 'verify', at('whole-v2.bundle')])
  expect([answer.exit, answer.stderr]).toEqual([1, 'error: need a repository to verify a bundle\n'])
})

test('A bundle whose prerequisites are missing is not opened, and the error names them', async () => {
  const bundle = bytesOf('thin.bundle')
  const ids = [
    ...Buffer.from(bytesOf('thin.bundle'))
      .toString('latin1')
      .matchAll(/^-(\w+)/gm),
  ]
  const lacking = ids.map(([, oid]) => oid).join(' ')
  expect(lacking).toMatch(/^[0-9a-f]{40}/)
  // Without the deltas against missing objects, the pack is valid.
  const [head] = Buffer.from(bundle).toString('latin1').split('PACK')
  const whole = Buffer.concat([Buffer.from(head ?? '', 'latin1'), emptyPack()])
  for (const worker of [false, true]) {
    const error = await errorOf(() => open({ bundle: new Uint8Array(whole) }, { worker }))
    expect(error).toMatchObject({ code: 'NOT_FOUND', subject: lacking })
  }
  const repository = at('repo.git')
  await using repo = await open({ bundle: new Uint8Array(whole), repository })
  expect((await repo.read(`${ids[0]?.[1]}`)).type).toBe('commit')
})

test.each([['verify'], ['verify', '-q'], ['list-heads']])(
  'A bundle is also read from standard input: %s %s',
  (...args) => {
    for (const name of ['whole-v2.bundle', 'thin.bundle', 'filtered.bundle', 'odd.bundle']) {
      const asked = ['bundle', ...args.filter(Boolean)]
      const named = run('bundles/repo.git', [...asked, `../${name}`])
      const piped = run('bundles/repo.git', [...asked, '-'], { stdin: bytesOf(name), chunk: 7 })
      const stderr = named.stderr.replace(`../${name}`, '<stdin>')
      expect([piped.exit, `${piped.stdout}`, piped.stderr]).toEqual([
        named.exit,
        `${named.stdout}`,
        stderr,
      ])
    }
  },
)

test('A file that is no bundle is an error', async () => {
  const codes: [string, string][] = [
    ['odd.bundle', 'CORRUPT'],
    ['not.bundle', 'CORRUPT'],
    ['capability.bundle', 'UNSUPPORTED'],
    ['later.bundle', 'UNSUPPORTED'],
  ]
  for (const [name, code] of codes) {
    for (const worker of [false, true]) {
      expect(await codeOf(() => open({ bundle: bytesOf(name) }, { worker }))).toBe(code)
    }
  }
  const nothing = { bundle: undefined as unknown as ByteSource }
  expect(await codeOf(() => open(nothing))).toBe('BAD_INPUT')
})
