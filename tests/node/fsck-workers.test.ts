/** Workers that check a repository together find what one thread finds, in the same order. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Finding, FsckOptions, FsckProgress, OpenOptions, Stats } from 'packlens'
import { open } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PacklensError } from '../../dist/base/errors.js'
import type { LongQuestion } from '../../dist/base/protocol.js'
import type { Engine, Sharing } from '../../dist/engine/engine.js'
import { WorkerPool } from '../../dist/engine/worker-pool.js'
import { pathStore } from '../../dist/node/path-store.js'
import { spawn } from '../../dist/node/spawn.js'
import { decodeFindings } from '../../dist/objects/findings.js'
import { fsckRequest } from '../../dist/questions/fsck.js'
import { openEngineInWorker } from '../../dist/worker/open.js'
import { git } from './many-objects.ts'
import { codeOf } from './support.ts'

/** Each commit makes four objects: below 32,768 objects, no workers are started. */
const COMMITS = 9000

let scratch: string
let good: string
let damaged: string

beforeAll(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'packlens-fsck-workers-'))
  good = path.join(scratch, 'good.git')
  git(scratch, ['init', '--quiet', '--bare', '--initial-branch=main', good])
  git(good, ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet'], history())
  git(good, ['update-ref', '-d', 'refs/heads/side'])
  damaged = path.join(scratch, 'damaged.git')
  cpSync(good, damaged, { recursive: true })
  damage(damaged)
})

afterAll(() => rmSync(scratch, { recursive: true }))

/** A history with many trees, faulty special files and a branch that is deleted later. */
function history(): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
  const commands = [`blob\n${data('dangling')}`]
  for (let at = 0; at < COMMITS; at++) {
    const file = `folder${at % 40}/file${at % 300}`
    const branch = at < COMMITS - 100 ? 'main' : 'side'
    commands.push(`commit refs/heads/${branch}\ncommitter A <a@example.com> ${1e9 + at} +0000\n`)
    commands.push(data(`commit ${at}`))
    if (at === COMMITS - 100) commands.push('from refs/heads/main\n')
    commands.push(`M 100644 inline ${file}\n${data(`${at}\n`.repeat(at % 50))}`)
    if (at % 3000 === 10) {
      const url = `-u./${at}`
      const module = `[submodule "x"]\n\tpath = x\n\turl = ${url}\n`
      commands.push(`M 100644 inline .gitmodules\n${data(module)}`)
    }
  }
  return commands.join('')
}

/** Damages a repository in several ways at once. */
function damage(folder: string): void {
  const packs = path.join(folder, 'objects', 'pack')
  const name = readdirSync(packs).find((file) => file.endsWith('.pack')) ?? ''
  const pack = readFileSync(path.join(packs, name))
  for (const share of [0.2, 0.21, 0.5, 0.8]) {
    const at = Math.floor(pack.length * share)
    pack.fill(0, at, at + 200)
  }
  unlinkSync(path.join(packs, name))
  writeFileSync(path.join(packs, name), pack)
  const written = (type: string, content: string) =>
    git(folder, ['hash-object', '-t', type, '--literally', '--stdin', '-w'], content).trim()
  const tree = git(good, ['rev-parse', 'HEAD^{tree}']).trim()
  const file = git(good, ['rev-parse', 'HEAD:folder1/file1']).trim()
  const people = 'author A <a@example.com> 1 +0000\ncommitter A <a@example.com> 01 +0000\n'
  written('commit', `tree ${tree}\n${people}\nthe date is wrong\n`)
  written('commit', `tree ${file}\n${people}\nthe tree is a file\n`)
  const broken = written('commit', `tree ${'1'.repeat(40)}\n${people}\nthe tree is missing\n`)
  const cut = written('blob', 'this file is cut')
  const place = path.join(folder, 'objects', cut.slice(0, 2), cut.slice(2))
  const bytes = readFileSync(place)
  unlinkSync(place)
  writeFileSync(place, bytes.subarray(0, -5))
  writeFileSync(path.join(folder, 'refs', 'heads', 'broken'), `${broken}\n`)
  writeFileSync(path.join(folder, 'refs', 'heads', 'gone'), `${'2'.repeat(40)}\n`)
}

async function check(
  folder: string,
  how: OpenOptions = {},
  options: FsckOptions = {},
): Promise<{ findings: Finding[]; stats: Stats }> {
  await using repo = await open(folder, how)
  return { findings: await repo.fsck(options), stats: repo.stats() }
}

const THREADS: OpenOptions[] = [
  { workers: 1 },
  { workers: 2 },
  { workers: 3 },
  { worker: true, workers: 1 },
]

test.each(['good', 'damaged'])('Workers find the same in a %s repository', async (which) => {
  const folder = which === 'good' ? good : damaged
  for (const options of [{}, { unreachable: true, strict: true }]) {
    const alone = await check(folder, {}, options)
    const ids = new Set(alone.findings.map(({ id }) => id))
    const found = which === 'good' ? ['gitmodulesUrl'] : [...DAMAGE]
    for (const id of found) expect(ids).toContain(id)
    for (const how of THREADS) {
      const { findings, stats } = await check(folder, how, options)
      expect(findings).toEqual(alone.findings)
      if (which === 'good' && !options.unreachable) {
        expect(stats.objects).toBe(alone.stats.objects)
      }
    }
  }
})

const DAMAGE = new Set([
  ...['gitmodulesUrl', 'packChecksum', 'packCrc', 'cannotUnpack', 'corruptLoose', 'wrongType'],
  ...['zeroPaddedDate', 'brokenLink', 'missing', 'invalidRef'],
])

test.each(['good', 'damaged'])(
  'git finds the same dangling objects in a %s repository',
  async (which) => {
    const folder = which === 'good' ? good : damaged
    const asked = spawnSync('git', ['-C', folder, 'fsck'], { encoding: 'utf8', maxBuffer: 1 << 26 })
    const of = /^dangling \w+ [0-9a-f]{40}$/gm
    const expected = [...asked.stdout.matchAll(of)].map(([line]) => line)
    const { findings } = await check(folder, { workers: 2 })
    const reported = findings.filter(({ id }) => id === 'dangling')
    const lines = reported.map(({ id, type, oid }) => `${id} ${type} ${oid}`)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.sort()).toEqual(expected.sort())
  },
)

test('Findings about packed objects come in the order of the pack', async () => {
  const { findings } = await check(damaged, { workers: 1 })
  const unpacked = findings.filter(({ id }) => id === 'cannotUnpack')
  const offsets = unpacked.map(({ message }) => Number(/offset (\d+)/.exec(message)?.[1]))
  expect(offsets.length).toBeGreaterThan(10)
  expect(offsets).toEqual([...offsets].sort((one, other) => one - other))
})

test('The progress counts all workers', async () => {
  for (const how of THREADS) {
    const steps: FsckProgress[] = []
    await check(good, how, { onProgress: (step) => steps.push(step) })
    const phases = [...new Set(steps.map(({ phase }) => phase))]
    expect(phases).toEqual(['packs', 'objects', 'connectivity'])
    for (const phase of phases) {
      const done = steps.filter((step) => step.phase === phase)
      const counts = done.map((step) => step.done)
      expect(counts).toEqual([...counts].sort((one, other) => one - other))
      for (const step of done) expect(step.done).toBeLessThanOrEqual(step.total)
    }
    const objects = steps.filter(({ phase }) => phase === 'objects').at(-1)
    expect(objects?.done).toBe(objects?.total)
  }
})

test('An abort ends the check of all workers, and the next one finds the same', async () => {
  await using repo = await open(good, { workers: 2 })
  for (const phase of ['packs', 'objects']) {
    const control = new AbortController()
    const onProgress = (step: FsckProgress) => {
      if (step.phase === phase) control.abort()
    }
    expect(await codeOf(() => repo.fsck({ signal: control.signal, onProgress }))).toBe('ABORTED')
  }
  expect(await repo.fsck()).toEqual((await check(good)).findings)
})

test('Each worker keeps to the memory limit', async () => {
  const memory = 8 << 20
  const alone = await check(good, { memory })
  const { findings, stats } = await check(good, { memory, workers: 2 })
  expect(findings).toEqual(alone.findings)
  expect(stats.memoryHighWater).toBeLessThanOrEqual(3 * memory)
})

/** An engine that calls `before` ahead of each page of a work unit, and `claimed` with its first one. */
function watched(engine: Engine & Sharing, before: () => unknown, claimed = () => {}) {
  const shared = (request: LongQuestion) => {
    const pages = engine.shared(request)
    let hasClaimed = false
    const claim = pages.claim.bind(pages)
    const next = pages.next.bind(pages)
    return Object.assign(pages, {
      claim: (workUnit: number | null) => {
        hasClaimed = true
        claimed()
        claim(workUnit)
      },
      next: async (...asked: Parameters<typeof next>) => {
        if (hasClaimed) await before()
        return next(...asked)
      },
    })
  }
  const close = () => engine.close()
  const stats = () => engine.stats()
  // The getters access private fields, which another object lacks.
  const own: Partial<Engine & Sharing> = { inThread: false, shared, close, stats }
  return own as Engine & Sharing
}

/** Lets a leader wait for a worker; returns the answer and how many objects each has read. */
async function together(inWorker: () => unknown = () => {}) {
  const options = { memory: 64 << 20, objectFormat: 'sha1' } as const
  const here = { source: good, store: () => pathStore(good), modules: undefined, spawn }
  let join = () => {}
  const joined = new Promise<void>((resolve) => {
    join = resolve
  })
  const leader = watched(await openEngineInWorker(here, options), () => joined)
  const engines = [leader]
  const pool = new WorkerPool(async () => {
    const worker = watched(await openEngineInWorker(here, options), inWorker, () => join())
    engines.push(worker)
    return worker
  }, 1)
  const pages = pool.check(leader, fsckRequest({}))
  const ids: string[] = []
  try {
    while (!pages.done) {
      const progress = () => {}
      const finding = ({ id }: Finding) => ids.push(id)
      const page = await pages.next(1 << 16, {})
      decodeFindings(page as Uint8Array<ArrayBuffer>, { progress, finding })
    }
    return { ids, read: engines.map((engine) => engine.stats().objects) }
  } finally {
    pages.end()
    pool.close()
    leader.close()
  }
}

test('A worker reads a part of the objects', async () => {
  const { ids, read } = await together()
  const alone = await check(good)
  expect(ids).toEqual(alone.findings.map(({ id }) => id))
  expect(Math.min(...read)).toBeGreaterThan(0)
  expect(read.reduce((sum, count) => sum + count)).toBe(alone.stats.objects)
})

test('The error of a worker that fails is that of the check', async () => {
  const fail = () => {
    throw new PacklensError('SOURCE', 'the disk is gone')
  }
  await expect(together(fail)).rejects.toMatchObject({
    code: 'SOURCE',
    message: 'the disk is gone',
  })
})
