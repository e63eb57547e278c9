/** The benches check every answer before they time anything. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { check, time } from '../../benches/lib/compare.mjs'
import { ObjectsDigest } from '../../benches/lib/digest.mjs'
import { named, sharesOf } from '../../benches/lib/profile.mjs'
import { numbersFrom, someOf } from '../../benches/lib/random.mjs'
import { barsOf, callsOf, tableOf } from '../../benches/lib/table.mjs'

const a = 'a'.repeat(40)
const b = 'b'.repeat(40)
const objects = [`${a} blob 3\none\n`, `${b} tree 0\n\n`, `${b} commit 4\n\n\n\n\n\n`]

function digestOf(text: string, step = text.length) {
  const digest = new ObjectsDigest()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += step) digest.write(bytes.subarray(at, at + step))
  return digest.result()
}

describe('The digest of objects', () => {
  const all = objects.join('')
  const backwards = [...objects].reverse().join('')

  test('does not depend on how the answer is split', () => {
    const whole = digestOf(all)
    expect(whole).toMatchObject({ objects: 3, bytes: 7 })
    for (const step of [1, 2, 7, 50]) expect(digestOf(all, step)).toEqual(whole)
  })

  test('depends on the order where the order counts', () => {
    expect(digestOf(backwards).digest).not.toBe(digestOf(all).digest)
    expect(digestOf(backwards).anyOrder).toBe(digestOf(all).anyOrder)
  })

  test('counts an object that is returned twice', () => {
    const twice = all + objects[0]
    expect(digestOf(twice).anyOrder).not.toBe(digestOf(all).anyOrder)
    expect(digestOf(twice + objects[0]).anyOrder).not.toBe(digestOf(all).anyOrder)
  })

  test('depends on every byte', () => {
    for (const [from, to] of [
      ['one', 'onf'],
      [a, b],
      ['tree', 'blob'],
    ] as const) {
      const { digest, anyOrder } = digestOf(all.replace(from, to))
      expect(digest, from).not.toBe(digestOf(all).digest)
      expect(anyOrder, from).not.toBe(digestOf(all).anyOrder)
    }
  })

  test('rejects an answer that is cut short or is no object', () => {
    for (let length = 1; length < 48; length++) {
      expect(() => digestOf(all.slice(0, length)), `${length}`).toThrow('cut off')
    }
    expect(() => digestOf(`${a} missing\n`)).toThrow('not an object')
    expect(() => digestOf(all.replace('one\n', 'onee'))).toThrow('no line feed')
  })
})

describe('A job', () => {
  let folder: string
  let settings: object
  const job = { answer: 'objects', anyOrder: true }
  const prints = (id: string, text: string) => ({
    id,
    engine: id,
    command: ['printf', '%s', text],
  })

  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-bench-'))
    // Stands in for benches/spent: the figures of the system are not tested here.
    const spent = path.join(folder, 'spent')
    const figures = '{"user":1,"system":1,"wall":3,"peak":4}'
    writeFileSync(spent, `#!/bin/sh\necho '${figures}' >"$1"\nshift\nexec "$@"\n`)
    chmodSync(spent, 0o755)
    settings = { spent, folder, limit: 20 }
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('times the engines whose answer equals that of the first', async () => {
    const [one, two, three] = objects as [string, string, string]
    const contenders = [
      prints('first', one + two + three),
      prints('other order', three + one + two),
      prints('one less', one + two),
      prints('another', one + two + three.replace('commit', 'tag')),
      prints('cut off', one + two + three.slice(0, -1)),
      { id: 'fails', engine: 'fails', command: ['false'] },
    ]
    const { right, wrong, expected } = await check(job, contenders, settings)
    expect(right.map(({ id }: { id: string }) => id)).toEqual(['first', 'other order'])
    expect(wrong.map((line: string) => line.split(':')[0])).toEqual([
      'one less',
      'another',
      'cut off',
      'fails',
    ])
    expect(expected).toMatchObject({ objects: 3, bytes: 7 })
  })

  test('may require an order, except of engines that name each object', async () => {
    const [first, second, third] = objects as [string, string, string]
    const contenders = [
      prints('first', first + second + third),
      prints('other order', third + second + first),
      { ...prints('says so', third + second + first), anyOrder: true },
    ]
    const { right } = await check({ answer: 'objects' }, contenders, settings)
    expect(right.map(({ id }: { id: string }) => id)).toEqual(['first', 'says so'])
  })

  test('times no engine if the first one fails', async () => {
    const contenders = [{ id: 'first', engine: 'first', command: ['false'] }, prints('b', '')]
    const { right, wrong } = await check(job, contenders, settings)
    expect(right).toEqual([])
    expect(wrong).toHaveLength(1)
  })

  test('fails if a timed run delivers less than the checked run', async () => {
    const delivers = (bytes: number) => ({
      id: 'b',
      engine: 'b',
      command: ['sh', '-c', `echo '{"delivered":{"objects":3,"bytes":${bytes}}}' >"$BENCH_REPORT"`],
    })
    const first = prints('first', objects.join(''))
    const timed = (bytes: number) =>
      time(job, [first, delivers(bytes)], {
        rounds: 3,
        expected: { objects: 3, bytes: 7 },
        ...settings,
      })
    const rows = await timed(7)
    expect(rows.map(({ ratio }: { ratio: object }) => ratio)).toEqual(
      Array(2).fill({ median: 1, least: 1, most: 1 }),
    )
    expect(rows[0]).toMatchObject({ cpu: { median: 2 }, wall: { median: 3 }, peak: 4 })
    await expect(timed(6)).rejects.toThrow('b delivered 3 objects, 6 bytes')
  })
})

describe('The objects of a random job', () => {
  test('are the same for the same seed, each object once', () => {
    const list = Array.from({ length: 100 }, (_, at) => at)
    const some = (seed: number) => someOf(list, 40, numbersFrom(seed)) as number[]
    expect(some(1)).toEqual(some(1))
    expect(some(2)).not.toEqual(some(1))
    expect(new Set(some(1)).size).toBe(40)
    expect(someOf(list, 1000, numbersFrom(1)).sort((a: number, b: number) => a - b)).toEqual(list)
  })
})

test('A table shows three significant digits', () => {
  const figures = { least: 0.012345, median: 9.999, most: 110 }
  const row = { id: 'git', ratio: figures, cpu: figures, wall: figures, peak: 12_600_000 }
  const reported = '10 (0.0123–110)'
  expect(tableOf([row]).split('\n')[2]).toBe(`| git | ${reported} | ${reported} | 10 | 13 |`)
})

test('A profile shows shares of time, by function name', () => {
  const module = 'wasm://wasm/packlens_bg.wasm-1'
  const frames = [
    ['sirocco::inflate::run::<packlens_base::appender::Appender>', module, 40],
    ['packlens_format::pack::delta::apply', module, 30],
    ['hashbrown::map::HashMap::insert', module, 10],
    ['<packlens_base::hash::Hasher>::update', module, 5],
    ['decodeRow', 'file:///packlens/dist/objects/frame.js', 10],
    ['compileSourceTextModule', 'node:internal', 5],
    ['(idle)', '', 900],
  ] as const
  const profile = {
    nodes: frames.map(([functionName, url], id) => ({ id, callFrame: { functionName, url } })),
    samples: frames.map((_, id) => id),
    timeDeltas: frames.map(([, , time]) => time),
  }
  expect(Object.fromEntries(sharesOf(profile))).toEqual({
    inflate: 0.4,
    delta: 0.3,
    'other WebAssembly': 0.1,
    hash: 0.05,
    'hand-over': 0.1,
    Node: 0.05,
  })
})

test('A profile of functions without known names is an error', () => {
  const known = [
    ['other WebAssembly', 0.4],
    ['inflate', 0.6],
  ] as const
  expect(named(known)).toBe(known)
  const sorted = [
    ['other WebAssembly', 0.67],
    ['bytes in', 0.33],
  ] as const
  expect(() => named(sorted)).toThrow('other WebAssembly 67 %')
})

test('A bar is compared with the worst record of git/git', () => {
  const job = 'index-pack'
  const record = (name: string, isGit: boolean, [packlens, git]: [number[], number[]]) => ({
    name,
    repository: { isGit },
    jobs: {
      [job]: [
        { id: 'git, one thread', rounds: git },
        { id: 'packlens', rounds: packlens, ceiling: 64 << 20, peak: packlens[0] as number },
      ],
    },
  })
  const records = [
    record('one', true, [
      [1 << 20, 1],
      [2 << 20, 2],
    ]),
    record('two', true, [
      [129 << 20, 6],
      [1 << 20, 7],
    ]),
    record('another', false, [
      [9, 9],
      [1, 1],
    ]),
  ]
  expect(barsOf(records.slice(0, 1))).toEqual([
    'index-pack: packlens / git, one thread: 0.5, bar 0.55: met, and what to reach for',
    'peaks within the ceiling and 64 MiB: 1 of 1',
  ])
  expect(barsOf(records)).toEqual([
    'index-pack: packlens / git, one thread: 64.9 (two), bar 0.55: short by 118x',
    'peaks within the ceiling and 64 MiB: 1 of 2',
    'index-pack: packlens: 135 MB at most, ceiling and 64 MiB 134: over',
  ])
  expect(barsOf(records.slice(2))).toEqual([])
})

test('times of calls are compared round by round', () => {
  const rows = [{ id: 'git' }, { id: 'packlens', calls: [1, 2] }, { id: 'other', calls: [5, 12] }]
  expect(callsOf(rows)).toEqual([
    'the first call of a process: packlens 1.5 (1–2) s, other 8.5 (5–12) s: 5.5 (5–6) times as long by other',
  ])
  expect(callsOf(rows.slice(0, 2))).toEqual([])
  const again = rows.slice(1).map((row) => ({ ...row, isSecond: true }))
  expect(callsOf([...rows, ...again]).map((line) => line.split(':')[0])).toEqual([
    'the first call of a process',
    'the second call',
  ])
})
