/**
 * Plans of ref changes: the messages are those of git 2.55
 * for the same transactions, on `update-ref --stdin`.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RefChange } from 'packlens'
import { open } from 'packlens'
import { afterAll, expect, test } from 'vitest'
import { codeOf, collect, root } from './support.ts'

const folder = path.join(root, 'target', 'fixtures', 'refs')
const mainFolder = path.join(root, 'target', 'fixtures', 'main')

async function asked(changes: RefChange[], options = {}) {
  using repo = await open(folder)
  const plan = await repo.refs.plan(changes, options)
  return plan.errors.map(({ code, message }) => [code, message])
}

async function idOf(spec: string): Promise<string> {
  using repo = await open(folder)
  return repo.resolve(spec)
}

const [main, side] = (await Promise.all(['main', 'side'].map(idOf))) as [string, string]
const zz = 'refs/heads/zz'
const fresh = 'refs/heads/fresh'

const cases: [string, RefChange[], [string, string][]][] = [
  ['a new ref', [{ type: 'create', name: fresh, oid: main }], []],
  [
    'an existing ref',
    [{ type: 'create', name: zz, oid: main }],
    [['already-exists', `cannot lock ref '${zz}': reference already exists`]],
  ],
  ['its very value', [{ type: 'update', name: zz, oid: main, expected: side }], []],
  [
    'another value',
    [{ type: 'update', name: zz, oid: main, expected: main }],
    [['unexpected-value', `cannot lock ref '${zz}': is at ${side} but expected ${main}`]],
  ],
  [
    'a missing ref',
    [{ type: 'delete', name: fresh, expected: main }],
    [['not-found', `cannot lock ref '${fresh}': unable to resolve reference '${fresh}'`]],
  ],
  ['nothing deleted', [{ type: 'delete', name: fresh }], []],
  [
    'two changes of a ref',
    [
      { type: 'update', name: zz, oid: main },
      { type: 'delete', name: zz },
    ],
    [['multiple-updates', `multiple updates for ref '${zz}' not allowed`]],
  ],
  [
    'a ref by another',
    [
      { type: 'update', name: 'refs/heads/main', oid: side },
      { type: 'update', name: 'refs/heads/alias', oid: side },
    ],
    [
      [
        'multiple-updates',
        "multiple updates for 'refs/heads/main' (including one via symref 'refs/heads/alias') are not allowed",
      ],
    ],
  ],
  [
    'a missing object',
    [{ type: 'create', name: fresh, oid: '12345678'.repeat(5) }],
    [
      [
        'missing-object',
        `trying to write ref '${fresh}' with nonexistent object ${'12345678'.repeat(5)}`,
      ],
    ],
  ],
  [
    'a name below one that is deleted',
    [
      { type: 'delete', name: zz },
      { type: 'create', name: `${zz}/x`, oid: main },
    ],
    [['exists', `'${zz}' exists; cannot create '${zz}/x'`]],
  ],
  [
    'a name below a missing one that is deleted',
    [
      { type: 'delete', name: fresh },
      { type: 'create', name: `${fresh}/er`, oid: main },
    ],
    [
      ['planned-together', `cannot process '${fresh}' and '${fresh}/er' at the same time`],
      ['planned-together', `cannot process '${fresh}/er' and '${fresh}' at the same time`],
    ],
  ],
  [
    'a missing name that is deleted, below an existing one',
    [{ type: 'delete', name: `${zz}/x` }],
    [['exists', `'${zz}' exists; cannot create '${zz}/x'`]],
  ],
  ['a name below its own', [{ type: 'rename', name: zz, to: `${zz}/x` }], []],
  [
    'renaming to an existing ref',
    [{ type: 'rename', name: zz, to: 'refs/heads/main' }],
    [['already-exists', "cannot lock ref 'refs/heads/main': reference already exists"]],
  ],
  [
    'several errors',
    [
      { type: 'create', name: 'refs/heads/main/x', oid: main },
      { type: 'create', name: 'refs/heads/main/y', oid: main },
      { type: 'create', name: fresh, oid: main },
      { type: 'create', name: `${fresh}/er`, oid: main },
    ],
    [
      ['exists', "'refs/heads/main' exists; cannot create 'refs/heads/main/x'"],
      ['exists', "'refs/heads/main' exists; cannot create 'refs/heads/main/y'"],
      ['planned-together', `cannot process '${fresh}' and '${fresh}/er' at the same time`],
      ['planned-together', `cannot process '${fresh}/er' and '${fresh}' at the same time`],
    ],
  ],
]

test.each(cases)('A plan with %s reports the errors of git', async (_, changes, errors) => {
  expect(await asked(changes)).toEqual(errors)
})

test('A ref that is deleted first does not conflict', async () => {
  const changes: RefChange[] = [
    { type: 'delete', name: zz },
    { type: 'create', name: `${zz}/x`, oid: main },
  ]
  expect(await asked(changes, { deleteFirst: true })).toEqual([])
})

const copies: string[] = []
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true })
})

test('A packed-refs of git is reproduced byte for byte', async () => {
  using repo = await open(mainFolder)
  const plan = await repo.refs.plan([])
  const file = readFileSync(path.join(mainFolder, 'packed-refs'))
  expect(Buffer.from(await plan.toPackedRefs()).toString('latin1')).toBe(file.toString('latin1'))
})

test('The packed-refs of a plan has the resulting refs', async () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'packlens-plan-'))
  copies.push(copy)
  cpSync(mainFolder, copy, { recursive: true })
  using repo = await open(copy)
  const before = await collect(repo.refs.list({ peel: true }))
  const tag = before.find(({ peeled }) => peeled !== null)
  const branch = before.find(({ name }) => name === 'refs/heads/side')
  if (!tag?.oid || !branch?.oid) throw new Error('the fixture has both')
  const plan = await repo.refs.plan([
    { type: 'create', name: 'refs/tags/caf\u{e9}', oid: tag.oid },
    { type: 'rename', name: 'refs/heads/side', to: 'refs/heads/side/ways' },
    { type: 'delete', name: 'refs/heads/left' },
    { type: 'update', name: 'refs/heads/right', oid: branch.oid },
  ])
  expect(plan.errors).toEqual([])
  expect(plan.moves).toContainEqual({ name: 'refs/heads/side', before: branch.oid, after: null })
  writeFileSync(path.join(copy, 'packed-refs'), await plan.toPackedRefs())
  const after = new Map((await collect(repo.refs.list())).map((ref) => [ref.name, ref]))
  expect(after.get('refs/tags/caf\u{e9}')).toMatchObject({ oid: tag.oid, peeled: tag.peeled })
  expect(after.get('refs/heads/side/ways')?.oid).toBe(branch.oid)
  expect(after.get('refs/heads/right')?.oid).toBe(branch.oid)
  expect(after.has('refs/heads/left') || after.has('refs/heads/side')).toBe(false)
  expect(after.size).toBe(before.length)
})

test('Per-worktree refs and HEAD are not packed', async () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'packlens-plan-'))
  copies.push(copy)
  cpSync(mainFolder, copy, { recursive: true })
  using repo = await open(copy)
  const oid = await repo.resolve('main')
  mkdirSync(path.join(copy, 'refs', 'bisect'), { recursive: true })
  writeFileSync(path.join(copy, 'refs', 'bisect', 'bad'), `${oid}\n`)
  const before = await repo.refs.plan([])
  const plan = await repo.refs.plan([
    { type: 'create', name: 'refs/worktree/mark', oid },
    { type: 'create', name: 'ORIG_HEAD', oid },
  ])
  expect(plan.errors).toEqual([])
  const packed = Buffer.from(await plan.toPackedRefs()).toString('latin1')
  expect(packed).toBe(Buffer.from(await before.toPackedRefs()).toString('latin1'))
  expect(packed).not.toContain('refs/bisect/bad')
})

test('A plan that git would refuse has no packed-refs', async () => {
  using repo = await open(folder)
  const plan = await repo.refs.plan([{ type: 'create', name: zz, oid: main }])
  expect(plan.ok).toBe(false)
  expect(await codeOf(() => plan.toPackedRefs())).toBe('BAD_INPUT')
})
