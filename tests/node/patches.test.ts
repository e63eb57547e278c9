/** Patches are those of git: tests/fixtures/patches.mjs. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import type { FilePatch, PatchesOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { expect, test } from 'vitest'
import { looseObjects } from './sources.ts'
import { collect, errorOf, fixture, folderOf, root } from './support.ts'

interface Recorded {
  readonly objects: readonly (readonly ['blob' | 'tree', string])[]
  readonly roots: readonly string[]
  readonly flags: readonly (readonly string[])[]
  readonly answers: readonly (readonly string[])[]
}

const file = path.join(root, 'tests', 'fixtures', 'patches.json')
const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded
const { store } = looseObjects(
  recorded.objects.map(([type, content]) => [type, Buffer.from(content, 'base64')]),
)
const roots = recorded.roots
const [, first = '', second = '', third = ''] = roots

/** The options for flags of git. */
const OPTIONS: Record<string, PatchesOptions> = {
  '': {},
  '-w': { ignoreSpace: 'all' },
  '-U0': { context: 0 },
  '-U1 --histogram': { context: 1, algorithm: 'histogram' },
  '--ignore-blank-lines -b': { ignoreBlankLines: true, ignoreSpace: 'amount' },
}

test.each(recorded.flags.map((flags, at) => [flags.join(' '), at] as const))(
  'Patches are those of git diff-tree -p %s',
  (flags, at) => {
    const options = OPTIONS[flags]
    if (!options) throw new Error(`no options for ${flags}`)
    using repo = openSync(store)
    let pair = 0
    for (const old of roots) {
      for (const now of roots) {
        const patches = [...repo.patches(old, now, options)]
        const printed = Buffer.concat(patches.map(({ bytes }) => bytes))
        const answer = recorded.answers[at]?.[pair] ?? ''
        if (at === 0)
          expect(printed.toString('latin1')).toBe(Buffer.from(answer, 'base64').toString('latin1'))
        else expect(createHash('sha1').update(printed).digest('hex'), `${old} ${now}`).toBe(answer)
        pair += 1
      }
    }
    expect(pair).toBe(recorded.answers[at]?.length)
  },
)

/** Prints hunks again. */
function printed({ hunks }: FilePatch): string {
  const position = (start: number, count: number) =>
    count === 1 ? `${start}` : `${start},${count}`
  const signs = { context: ' ', added: '+', removed: '-' } as const
  return hunks
    .map(({ oldStart, oldLines, newStart, newLines, heading, lines }) => {
      const places = `-${position(oldStart, oldLines)} +${position(newStart, newLines)}`
      const texts = lines.map(
        ({ kind, text, isUnterminated }) =>
          `${signs[kind]}${text}\n${isUnterminated ? '\\ No newline at end of file\n' : ''}`,
      )
      return `@@ ${places} @@${heading && ` ${heading}`}\n${texts.join('')}`
    })
    .join('')
}

test('Hunks have all lines of a patch, with their numbers', () => {
  using repo = openSync(store)
  let hunks = 0
  for (const old of roots) {
    for (const now of roots) {
      for (const patch of repo.patches(old, now)) {
        const text = patch.toString()
        const start = text.indexOf('\n@@ ') + 1
        expect(printed(patch)).toBe(start > 0 ? text.slice(start) : '')
        const lines = patch.hunks.flatMap((hunk) => hunk.lines)
        const count = (kind: string) => lines.filter((line) => line.kind === kind).length
        expect([count('added'), count('removed')]).toEqual([patch.added, patch.removed])
        hunks += patch.hunks.length
      }
    }
  }
  expect(hunks).toBeGreaterThan(50)
  const code = [...repo.patches(first, second)].find(({ path }) => path === 'code.c')
  expect(code?.hunks[0]?.lines.slice(0, 4)).toEqual([
    { kind: 'context', text: 'int one(void)', oldLine: 1, newLine: 1, isUnterminated: false },
    { kind: 'context', text: '{', oldLine: 2, newLine: 2, isUnterminated: false },
    { kind: 'removed', text: '\treturn 1;', oldLine: 3, newLine: null, isUnterminated: false },
    { kind: 'added', text: '\treturn 2;', oldLine: null, newLine: 3, isUnterminated: false },
  ])
})

test('A file whose type changes is deleted and added', () => {
  using repo = openSync(store)
  const patches = [...repo.patches(first, second)].filter(({ path }) => path === 'type')
  expect(patches.map(({ status, oldMode, newMode }) => [status, oldMode, newMode])).toEqual([
    ['deleted', 0o100644, null],
    ['added', null, 0o120000],
  ])
})

test('Ids have as many digits as asked for', () => {
  using repo = openSync(store)
  const index = (options: PatchesOptions) =>
    /^index ([0-9a-f]+)\.\.([0-9a-f]+)/m.exec(`${[...repo.patches(first, null, options)][0]}`)
  expect(
    index({})
      ?.slice(1)
      .map((id) => id.length),
  ).toEqual([40, 40])
  expect(
    index({ abbrev: 'auto' })
      ?.slice(1)
      .map((id) => id.length),
  ).toEqual([7, 7])
  expect(
    index({ abbrev: 12 })
      ?.slice(1)
      .map((id) => id.length),
  ).toEqual([12, 12])
})

test('Contents larger than memory are named, and the others compared', () => {
  const text = Buffer.alloc(1 << 20, 'a line of text\n')
  const tree = (...entries: (readonly [string, string])[]) =>
    Buffer.concat(
      entries.map(([name, id]) =>
        Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(id, 'hex')]),
      ),
    )
  const blobs = looseObjects([
    ['blob', text],
    ['blob', Buffer.from('small\n')],
  ])
  const [large = '', small = ''] = blobs.oids
  const all = looseObjects([
    ['blob', text],
    ['blob', Buffer.from('small\n')],
    ['tree', tree(['large', large], ['small', small])],
  ])
  using repo = openSync(all.store, { memory: 1 << 20 })
  const patches = [...repo.patches(null, all.oids[2] ?? '')]
  expect(
    patches.map(({ path, kind, added, bytes }) => [path, kind, added, bytes.length > 0]),
  ).toEqual([
    ['large', 'too-large', 0, false],
    ['small', 'text', 1, true],
  ])
})

test('A worker makes the same patches', async () => {
  const folder = folderOf(fixture('main'))
  using here = openSync(folder)
  await using there = await open(folder, { worker: true })
  const expected = [...here.patches('HEAD~2', 'HEAD')].map((patch) => patch.toString())
  expect(expected.length).toBeGreaterThan(0)
  const patches = await collect(there.patches('HEAD~2', 'HEAD'))
  expect(patches.map((patch) => patch.toString())).toEqual(expected)
})

test('A patch prints without bytes', () => {
  using repo = openSync(store)
  const [patch] = [...repo.patches(second, third)]
  if (!patch) throw new Error('no patch')
  const { pathBytes, oldPathBytes, bytes, hunks, ...plain } = patch
  expect(pathBytes).toEqual(oldPathBytes)
  expect(bytes.byteLength).toBeGreaterThan(hunks.length)
  expect(JSON.parse(JSON.stringify(patch))).toEqual({ ...plain, hunks })
  expect(inspect(patch)).toBe(inspect(patch.toJSON()))
})

test('A missing content is an error that names it', async () => {
  const whole = looseObjects([
    ['tree', Buffer.concat([Buffer.from('100644 a\0'), Buffer.alloc(20, 1)])],
  ])
  using repo = openSync(whole.store)
  const error = await errorOf(() => [...repo.patches(null, whole.oids[0] ?? '')])
  expect(error).toMatchObject({ code: 'NOT_FOUND', subject: '01'.repeat(20) })
})

test('Two files that are named are compared, with the paths of both', async () => {
  const content = (text: string) => Buffer.from(text)
  const blobs = looseObjects([
    ['blob', content('one\n')],
    ['blob', content('two\n')],
  ])
  const [one = '', two = ''] = blobs.oids
  const entry = (mode: string, name: string, oid: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])
  const { store, oids } = looseObjects([
    ['blob', content('one\n')],
    ['blob', content('two\n')],
    ['tree', Buffer.concat([entry('100644', 'a', one), entry('100755', 'b b', two)])],
  ])
  const tree = oids[2] ?? ''
  using repo = openSync(store)
  const [patch, ...others] = [...repo.patches(`${tree}:a`, `${tree}:b b`, { abbrev: 7 })]
  expect(others).toEqual([])
  expect(patch).toMatchObject({ status: 'modified', oldPath: 'a', path: 'b b', newMode: 0o100755 })
  const index = `${one.slice(0, 7)}..${two.slice(0, 7)}`
  expect(`${patch}`).toBe(
    `diff --git a/a b/b b\nold mode 100644\nnew mode 100755\nindex ${index}\n` +
      '--- a/a\n+++ b/b b\t\n@@ -1 +1 @@\n-one\n+two\n',
  )
  expect([...repo.diff(one, two)]).toMatchObject([{ oldPath: one, path: two, oldMode: 0o100644 }])
  expect([...repo.diff(one, `${tree}:a`)]).toEqual([])
  expect(await errorOf(() => [...repo.diff(one, tree)])).toMatchObject({ code: 'WRONG_TYPE' })
})
