/** Indexes and results equal git's: tests/fixtures/index-pack.mjs asked git. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { checkPack, indexPack, open } from 'packlens'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { packOf, packOfDelta } from './blob-pack.ts'
import { run, runProcess, unpacked } from './cli-support.ts'
import { codeOf, errorOf, root, sha256 } from './support.ts'

interface Answer {
  readonly path: string
  readonly format: 'sha1' | 'sha256'
  readonly oid: string
  readonly objects: number
  readonly idx: string
  readonly rev: string
  readonly verbose: string
  readonly statistics: string
}

const recorded = path.join(root, 'tests', 'fixtures', 'index-pack.json')
const answers: Answer[] = JSON.parse(readFileSync(recorded, 'utf8'))
const fileOf = ({ path: place }: Answer) => path.join(unpacked, place)
const indexOf = (answer: Answer) => fileOf(answer).replace(/pack$/, 'idx')
const called = (name: string) => {
  const found = answers.find(({ path }) => path.startsWith(`${name}/`))
  if (!found) throw new Error(`no pack of ${name}`)
  return found
}

const scratch = mkdtempSync(path.join(os.tmpdir(), 'packlens-index-'))
afterAll(() => rmSync(scratch, { recursive: true }))

test('git was asked about packs of every kind', () => {
  expect(answers.length).toBeGreaterThan(12)
  expect(new Set(answers.map(({ format }) => format)).size).toBe(2)
})

describe.each(answers.map((answer) => [answer.path, answer] as const))('%s', (_, answer) => {
  const { format, oid, objects } = answer

  test('gets the indexes of git', async () => {
    const made = await indexPack(fileOf(answer), { objectFormat: format })
    expect({ oid: made.oid, objects: made.objects }).toEqual({ oid, objects })
    expect([sha256(made.idx), sha256(made.rev)]).toEqual([answer.idx, answer.rev])
  })

  test('matches its index', async () => {
    const facts = await checkPack(fileOf(answer), indexOf(answer), { objectFormat: format })
    expect(facts).toEqual({ oid, objects })
  })

  test('is reported by the commands as git does', () => {
    const as = `--object-format=${format}`
    const verdict = run(scratch, ['verify-pack', as, '-v', fileOf(answer)])
    expect({ ...verdict, stdout: '' }).toMatchObject({ exit: 0, stderr: '' })
    const text = verdict.stdout.toString()
    expect(text.endsWith(`\n${fileOf(answer)}: ok\n`)).toBe(true)
    expect(sha256(Buffer.from(text.replace(/^.*: ok$/m, '')))).toBe(answer.verbose)
    const stem = fileOf(answer).replace(/\.pack$/, '')
    expect(sha256(run(scratch, ['verify-pack', as, '-s', stem]).stdout)).toBe(answer.statistics)
    expect(run(scratch, ['verify-pack', as, indexOf(answer)]).stdout.toString()).toBe('')
    const idx = path.join(scratch, 'made.idx')
    const made = run(scratch, ['index-pack', as, '--rev-index', '-o', 'made.idx', fileOf(answer)])
    expect(made).toMatchObject({ exit: 0, stderr: '' })
    expect(made.stdout.toString()).toBe(`${oid}\n`)
    expect(sha256(readFileSync(idx))).toBe(answer.idx)
    expect(sha256(readFileSync(idx.replace(/idx$/, 'rev')))).toBe(answer.rev)
    rmSync(idx)
    rmSync(idx.replace(/idx$/, 'rev'))
  })
})

describe('A pack', () => {
  const main = called('main')
  const bytes = readFileSync(fileOf(main))

  test.each([
    ['a path', () => fileOf(main)],
    ['an array', () => new Uint8Array(bytes)],
    ['a blob', () => new Blob([new Uint8Array(bytes)])],
    [
      'a source that answers late',
      () => ({
        size: bytes.length,
        read: async (offset: number, length: number) => {
          await new Promise((resolve) => setTimeout(resolve))
          return new Uint8Array(bytes.subarray(offset, offset + length))
        },
      }),
    ],
  ])('may be %s, here and in a worker', async (_, source) => {
    for (const worker of [false, true]) {
      const steps: number[] = []
      const onProgress = ({ done, total }: { done: number; total: number }) => {
        steps.push(done / total)
      }
      const { idx, rev } = await indexPack(source(), { worker, onProgress })
      expect([sha256(idx), sha256(rev)]).toEqual([main.idx, main.rev])
      expect(steps.at(-1)).toBe(1)
      expect(steps).toEqual([...steps].sort((a, b) => a - b))
    }
  })

  test('that takes long gives the event loop turns, and an abort ends it', async () => {
    const { pack } = packOfDelta(new Uint8Array(12 << 20))
    const controller = new AbortController()
    const progress: number[] = []
    const options = {
      signal: controller.signal,
      onProgress: ({ done }: { done: number }) => progress.push(done),
    }
    // Each look at the clock advances it by a second, independent of the machine's speed.
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000))
    onTestFinished(() => clock.mockRestore())
    setImmediate(() => controller.abort())
    expect(await codeOf(() => indexPack(pack, options))).toBe('ABORTED')
    expect(progress.length).toBeLessThan(5)
  })

  test('is not indexed beyond the memory limit', async () => {
    const { pack } = packOfDelta(new Uint8Array(3 << 20))
    const error = await errorOf(() => indexPack(pack, { memory: 4 << 20 }))
    expect(error.code).toBe('LIMIT')
    expect((await indexPack(pack, { memory: 32 << 20 })).objects).toBe(2)
  })

  test('of a repository is verified by name, here and in a worker', async () => {
    const folder = path.join(unpacked, 'main')
    using repo = await open(folder)
    const { pack } = await repo.info('HEAD')
    if (pack === null) throw new Error('HEAD is in no pack')
    const facts = { oid: main.oid, objects: main.objects }
    expect(await repo.checkPack(pack)).toEqual(facts)
    expect(await repo.checkPack(path.basename(pack))).toEqual(facts)
    expect(await codeOf(() => repo.checkPack('pack-of-nobody'))).toBe('NOT_FOUND')
    expect((await repo.read('HEAD')).type).toBe('commit')
  })

  test('gets the same index with and without collision detection', async () => {
    const { idx } = await indexPack(fileOf(main), { collisions: 'trust' })
    expect(sha256(idx)).toBe(main.idx)
    const made = run(scratch, ['index-pack', '--collisions=trust', '-o', 'a.idx', fileOf(main)])
    expect(made.stdout.toString()).toBe(`${main.oid}\n`)
    const odd = { collisions: 'perhaps' as never }
    expect(await codeOf(() => indexPack(fileOf(main), odd))).toBe('BAD_INPUT')
  })

  test('that is missing, or is no pack, is an error', async () => {
    expect(await codeOf(() => indexPack(path.join(scratch, 'nothing')))).toBe('NOT_FOUND')
    expect(await codeOf(() => indexPack(new Uint8Array(0)))).toBe('CORRUPT')
    expect(await codeOf(() => indexPack(undefined as never))).toBe('BAD_INPUT')
    expect(await codeOf(() => checkPack(fileOf(main), indexOf(called('tiny'))))).toBe('CORRUPT')
  })
})

describe.each(['tiny', 'tiny-sha256'])('Damage to %s', (name) => {
  const answer = called(name)
  const options = { objectFormat: answer.format }
  const pack = readFileSync(fileOf(answer))
  const idx = readFileSync(indexOf(answer))
  const known = ['CORRUPT', 'UNSUPPORTED', 'LIMIT']

  test('is detected in every byte of the pack, and at every length', async () => {
    for (let at = 0; at < pack.length; at++) {
      const damaged = new Uint8Array(pack)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
      expect(known, `byte ${at}`).toContain(await codeOf(() => indexPack(damaged, options)))
      const cut = new Uint8Array(pack.subarray(0, at))
      expect(await codeOf(() => indexPack(cut, options)), `cut to ${at}`).toBe('CORRUPT')
    }
  })

  test('is detected in every byte of the index, and at every length', async () => {
    for (let at = 0; at < idx.length; at++) {
      const damaged = new Uint8Array(idx)
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (at % 8))
      const code = await codeOf(() => checkPack(new Uint8Array(pack), damaged, options))
      expect(known, `byte ${at}`).toContain(code)
      if (at % 16 > 0) continue
      const cut = new Uint8Array(idx.subarray(0, at))
      expect(await codeOf(() => checkPack(new Uint8Array(pack), cut, options))).toBe('CORRUPT')
    }
  })
})

test('A pack with a duplicate object is indexed, and is not valid', async () => {
  const blob = Buffer.from('a\n')
  const { pack, oids } = packOf(blob, Buffer.from('bb\n'), blob)
  const { idx, objects } = await indexPack(pack)
  expect(objects).toBe(3)
  const error = await errorOf(() => checkPack(pack, idx))
  expect(error).toMatchObject({ code: 'CORRUPT', subject: oids[0] })
  const stem = path.join(scratch, 'twice')
  writeFileSync(`${stem}.pack`, pack)
  writeFileSync(`${stem}.idx`, idx)
  const plain = run(scratch, ['verify-pack', 'twice.pack'])
  expect([plain.exit, `${plain.stdout}`]).toEqual([1, ''])
  expect(plain.stderr).toBe(`fatal: The same object ${oids[0]} appears twice in the pack\n`)
  const verbose = run(scratch, ['verify-pack', '-v', 'twice.pack'])
  expect([verbose.exit, ...`${verbose.stdout}`.split('\n').slice(3)]).toEqual([
    1,
    'non delta: 3 objects',
    'twice.pack: bad',
    '',
  ])
})

describe('The commands', () => {
  const tiny = called('tiny')
  const copy = path.join(scratch, 'copy.pack')

  test.each(['-v', '-s'])('print the same with several threads, with %s', (flag) => {
    const main = fileOf(called('main'))
    const damaged = path.join(scratch, 'damaged.pack')
    const bytes = readFileSync(main)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(damaged, bytes)
    copyFileSync(main.replace(/pack$/, 'idx'), damaged.replace(/pack$/, 'idx'))
    const args = ['verify-pack', flag, main, damaged, main]
    const alone = run(scratch, args)
    const by = runProcess(scratch, [...args, '--threads=2'])
    expect([by.exit, by.stdout.toString()]).toEqual([1, alone.stdout.toString()])
    expect(by.stdout.length).toBeGreaterThan(flag === '-v' ? 10_000 : 50)
    expect(runProcess(scratch, ['verify-pack', '--threads=2', main])).toMatchObject({ exit: 0 })
  })

  test('report the fault of a pack, and write no files then', () => {
    const bytes = readFileSync(fileOf(tiny))
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(copy, bytes)
    copyFileSync(indexOf(tiny), copy.replace(/pack$/, 'idx'))
    const bad = run(scratch, ['verify-pack', '-v', 'copy.pack'])
    expect([bad.exit, bad.stdout.toString()]).toEqual([1, 'copy.pack: bad\n'])
    expect(run(scratch, ['verify-pack', 'copy.pack'])).toMatchObject({ exit: 1 })
    const index = run(scratch, ['index-pack', '-o', 'other.idx', 'copy.pack'])
    expect([index.exit, index.stdout.toString()]).toEqual([128, ''])
    expect(index.stderr).toMatch(/^fatal: .*damaged/)
    expect(existsSync(path.join(scratch, 'other.idx'))).toBe(false)
    rmSync(copy)
    rmSync(copy.replace(/pack$/, 'idx'))
  })

  test('write the index beside the pack, and verify it there', () => {
    copyFileSync(fileOf(tiny), copy)
    expect(run(scratch, ['index-pack', 'copy.pack']).stdout.toString()).toBe(`${tiny.oid}\n`)
    expect(sha256(readFileSync(copy.replace(/pack$/, 'idx')))).toBe(tiny.idx)
    expect(existsSync(copy.replace(/pack$/, 'rev'))).toBe(false)
    const verdict = run(scratch, ['index-pack', '--verify', 'copy.pack'])
    expect([verdict.exit, verdict.stdout.toString()]).toEqual([0, ''])
  })

  test.each([
    [['index-pack'], 129, /^usage: packlens index-pack/],
    [['index-pack', '--nothing'], 129, /^usage: packlens index-pack/],
    [['index-pack', 'a.pack', 'b.pack'], 129, /^usage: packlens index-pack/],
    [['index-pack', '--index-version=1', 'a.pack'], 128, /^fatal: .* does not support .*\n$/],
    [['index-pack', '--fix-thin'], 129, /^usage: packlens index-pack/],
    [
      ['index-pack', '--fix-thin', 'a.pack'],
      128,
      /^fatal: the option '--fix-thin' requires '--stdin'\n$/,
    ],
    [['index-pack', 'nosuch'], 128, /^fatal: packfile name 'nosuch' does not end with '.pack'\n$/],
    [['index-pack', 'a.pack'], 128, /^fatal: could not open 'a.pack' for reading: No such file/],
    [['verify-pack'], 129, /^usage: packlens verify-pack/],
    [['verify-pack', '--threads=x', 'a'], 129, /^usage: packlens verify-pack/],
    [['verify-pack', 'nosuch'], 1, /^fatal: Cannot open existing pack file 'nosuch.idx'\n$/],
  ])('%j', (args, exit, stderr) => {
    const answer = run(scratch, args)
    expect(answer.exit).toBe(exit)
    expect(answer.stderr).toMatch(stderr)
  })
})
