/** Blobs larger than the memory that the command line may use. */
import { spawn } from 'node:child_process'
import { createCipheriv, createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blobId, indexedPackOf, packOfDelta } from './blob-pack.js'
import { cli, environment, root, run, splitAnswers, unpacked } from './cli-support.js'

const SIZE = 32 << 20
const env = { PACKLENS_MEMORY: '8m' }
const CEILING = 8 << 20
/** The bytes of the module's own data and stack. */
const MODULE = 2 << 20

/** Returns bytes that do not compress: a key stream, which is much faster to make than hashes. */
function noise(seed: number, size: number): Uint8Array {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16)).update(
    new Uint8Array(size),
  )
}

const contents = { noise: noise(1, SIZE), zeros: new Uint8Array(SIZE) }
const oids = { noise: blobId(contents.noise), zeros: blobId(contents.zeros) }
const both = [oids.noise, oids.zeros].sort()

const wrong = Buffer.alloc(SIZE)
wrong[SIZE - 1] = 1

const base = noise(2, 3 << 20)
const delta = packOfDelta(base)
const [baseId = '', deltaId = ''] = delta.oids

/** Contents of equal length, longer than a write, and within one block of the pack. */
const even = [3, 4, 5, 6, 7, 8, 9, 10].map((byte) => new Uint8Array(300 << 10).fill(byte))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'packlens-'))
  for (const name of ['loose', 'packed', 'delta', 'damaged', 'even']) makeRepository(name)
  for (const content of Object.values(contents)) writeLoose('loose', content)
  writePack('packed', indexedPackOf(contents.noise, contents.zeros))
  writePack('delta', delta)
  writePack('even', indexedPackOf(...even))
  // The last byte of the content does not match the id.
  writeLoose('damaged', wrong, oids.zeros)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function makeRepository(name: string): void {
  const repository = path.join(folder, name)
  cpSync(path.join(unpacked, 'unborn'), repository, { recursive: true })
  rmSync(path.join(repository, 'objects'), { recursive: true })
  mkdirSync(path.join(repository, 'objects', 'pack'), { recursive: true })
}

function writeLoose(name: string, content: Uint8Array, oid = blobId(content)): void {
  const file = path.join(folder, name, 'objects', oid.slice(0, 2), oid.slice(2))
  mkdirSync(path.dirname(file), { recursive: true })
  const object = Buffer.concat([Buffer.from(`blob ${content.length}\0`), content])
  writeFileSync(file, deflateSync(object, { level: 1 }))
}

function writePack(name: string, { pack, idx }: { pack: Uint8Array; idx: Uint8Array }): void {
  const stem = path.join(folder, name, 'objects', 'pack', 'pack-1')
  writeFileSync(`${stem}.pack`, pack)
  writeFileSync(`${stem}.idx`, idx)
}

/** The command line as modules, whose instance reports its memory. */
const modules = path.join(root, 'dist', 'node', 'cli', 'program.js')
const loaded = new URL(`file://${path.join(root, 'dist', 'session', 'modules.js')}`)
const tellsMemory = `import { currentInstance } from ${JSON.stringify(loaded.href)}
  process.on('exit', () => console.error('memory ' + currentInstance().memorySize))`

interface Digested {
  readonly exit: number
  readonly size: number
  readonly sha256: string
  /** Returns the final size of the instance's memory, which never shrinks. */
  readonly memory: number
}

/** Runs a process and hashes its output as it arrives. */
async function digest(name: string, args: readonly string[], stdin = ''): Promise<Digested> {
  const prelude = `data:text/javascript,${encodeURIComponent(tellsMemory)}`
  const child = spawn(process.execPath, ['--import', prelude, modules, ...args], {
    cwd: path.join(folder, name),
    env: { ...environment, ...env },
  })
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  const exited = once(child, 'close')
  child.stdin.end(stdin)
  const hash = createHash('sha256')
  let size = 0
  for await (const bytes of child.stdout as AsyncIterable<Buffer>) {
    hash.update(bytes)
    size += bytes.length
  }
  const [exit] = await exited
  const memory = Number(/^memory (\d+)$/m.exec(stderr)?.[1])
  return { exit, size, sha256: hash.digest('hex'), memory }
}

/** Returns the output of git: the parts, concatenated. */
function expected(...parts: (string | Uint8Array)[]): { size: number; sha256: string } {
  const hash = createHash('sha256')
  let size = 0
  for (const part of parts) {
    const bytes = Buffer.from(part as Uint8Array)
    hash.update(bytes)
    size += bytes.length
  }
  return { size, sha256: hash.digest('hex') }
}

const contentOf = (oid: string) => (oid === oids.noise ? contents.noise : contents.zeros)
const answerOf = (oid: string, end = '\n') => [`${oid} blob ${SIZE}${end}`, contentOf(oid), end]

describe.each(['loose', 'packed'])(
  '32 MiB of noise and of zeros, %s, with 8 MiB of memory',
  (name) => {
    const small = `${oids.noise} blob ${SIZE}\n`
    test.each([
      { args: ['-p', oids.noise], parts: [contents.noise] },
      { args: ['blob', oids.zeros], parts: [contents.zeros] },
      {
        args: ['--batch'],
        stdin: `nope\n${both[0]}\n${both[1]}\nnope\n`,
        parts: ['nope missing\n', ...both.flatMap((oid) => answerOf(oid)), 'nope missing\n'],
      },
      {
        args: ['--batch', '--buffer', '-Z'],
        stdin: both.join('\0'),
        parts: both.flatMap((oid) => answerOf(oid, '\0')),
      },
      {
        args: ['--batch-command'],
        stdin: `info ${oids.noise}\ncontents ${oids.noise}\ninfo ${oids.noise}\n`,
        parts: [small, ...answerOf(oids.noise), small],
      },
      {
        args: ['--batch-command', '--buffer'],
        stdin: `info ${oids.noise}\ncontents ${oids.noise}\nflush\ninfo ${oids.noise}\n`,
        parts: [small, ...answerOf(oids.noise), small],
      },
      {
        args: ['--batch-all-objects', '--batch'],
        parts: both.flatMap((oid) => answerOf(oid)),
      },
      {
        args: ['--batch-all-objects', '--batch', '--no-buffer'],
        parts: both.flatMap((oid) => answerOf(oid)),
      },
      {
        args: ['--batch=%(objectsize) %(deltabase) %(rest)'],
        stdin: `${oids.zeros} and more\n`,
        parts: [`${SIZE} ${'0'.repeat(40)} and more\n`, contents.zeros, '\n'],
      },
    ])('cat-file $args', async ({ args, stdin, parts }) => {
      const { memory, ...answer } = await digest(name, ['cat-file', ...args], stdin)
      expect(answer).toEqual({ exit: 0, ...expected(...parts) })
      expect(memory).toBeLessThanOrEqual(CEILING + MODULE)
    })

    test.each([['--buffer'], ['--no-buffer']])('chunks are of limited size, with %s', (buffer) => {
      const stdin = `${oids.zeros}\n`
      const args = ['cat-file', '--batch', buffer]
      const { writes } = run(path.join(folder, name), args, { stdin, env })
      const line = `${oids.zeros} blob ${SIZE}\n`
      // The header line is written with the first chunk, the newline with the last.
      expect(writes.length).toBe(Math.ceil((line.length + SIZE) / (64 << 10)))
      expect(writes[0]?.length).toBe(64 << 10)
      expect(writes[0]?.toString('latin1').startsWith(`${line}\0`)).toBe(true)
      expect(writes.at(-1)?.toString('latin1').endsWith('\0\n')).toBe(true)
      for (const write of writes) expect(write.length).toBeLessThanOrEqual((64 << 10) + 1)
    })

    test.each([{ args: ['blob', oids.noise] }, { args: ['--batch-all-objects', '--batch'] }])(
      'ends without an error message when the reader closes the pipe: $args',
      async ({ args }) => {
        const child = spawn(process.execPath, [cli, 'cat-file', ...args], {
          cwd: path.join(folder, name),
          env: { ...environment, ...env },
        })
        let stderr = ''
        child.stderr.on('data', (text) => {
          stderr += text
        })
        const exited = once(child, 'exit')
        await once(child.stdout, 'data')
        child.stdout.destroy()
        const [code] = await exited
        expect({ code, stderr }).toEqual({ code: 141, stderr: '' })
      },
    )
  },
)

test('content below a quarter of the memory is written at once', () => {
  const there = path.join(folder, 'delta')
  const lengths = (memory: string) => {
    const options = { stdin: `${baseId}\n`, env: { PACKLENS_MEMORY: memory } }
    return run(there, ['cat-file', '--batch'], options).writes.map(({ length }) => length)
  }
  const [line, chunk] = [`${baseId} blob ${base.length}\n`, 64 << 10]
  expect(lengths('13m')).toEqual([line.length + base.length + 1])
  const chunked = lengths('11m')
  expect(chunked.length).toBe(Math.ceil((line.length + base.length) / chunk))
  expect(new Set(chunked.slice(0, -1))).toEqual(new Set([chunk]))
})

describe('a large delta', () => {
  test('is resolved within the memory limit', () => {
    const there = path.join(folder, 'delta')
    const { stdout } = run(there, ['cat-file', '--batch'], { stdin: `${deltaId}\n${baseId}\n` })
    const answers = splitAnswers(stdout, true)
    expect(answers.map((answer) => createHash('sha256').update(answer).digest('hex'))).toEqual([
      expected(`${deltaId} blob ${6 << 20}\n`, delta.whole, '\n').sha256,
      expected(`${baseId} blob ${3 << 20}\n`, base, '\n').sha256,
    ])
    expect(run(there, ['cat-file', 'blob', deltaId]).stdout.equals(delta.whole)).toBe(true)
  })

  test.each([
    { args: ['blob', deltaId] },
    { args: ['-p', deltaId] },
    { args: ['--batch'], stdin: `${deltaId}\n` },
  ])('beyond the limit fails with a hint: $args', ({ args, stdin = '' }) => {
    const there = path.join(folder, 'delta')
    const little = { PACKLENS_MEMORY: '2m' }
    const answer = run(there, ['cat-file', ...args], { stdin, env: little })
    expect({ exit: answer.exit, length: answer.stdout.length }).toEqual({ exit: 128, length: 0 })
    expect(answer.stderr).toMatch(/^fatal: .+\nhint: PACKLENS_MEMORY=1g /)
  })
})

describe('content that does not match its id', () => {
  const line = `${oids.zeros} blob ${SIZE}\n`

  test.each([
    { args: ['--batch'], stdin: `${oids.zeros}\n${oids.zeros}\n` },
    { args: ['--batch', '--buffer'], stdin: `${oids.zeros}\n${oids.zeros}\n` },
    { args: ['--batch-all-objects', '--batch'] },
    { args: ['--batch-command'], stdin: `contents ${oids.zeros}\n` },
  ])('ends the output before the delimiter: $args', ({ args, stdin = '' }) => {
    const there = path.join(folder, 'damaged')
    const answer = run(there, ['cat-file', ...args], { stdin, env })
    expect(answer.exit).toBe(128)
    expect(answer.stderr).toBe(`fatal: the content does not match its object id: ${oids.zeros}\n`)
    expect(answer.stdout.equals(Buffer.concat([Buffer.from(line), wrong]))).toBe(true)
  })

  test('ends cat-file blob', () => {
    const there = path.join(folder, 'damaged')
    const answer = run(there, ['cat-file', 'blob', oids.zeros], { env })
    expect(answer.exit).toBe(128)
    expect(answer.stderr).toMatch(/^fatal: the content does not match its object id/)
    expect(answer.stdout.equals(wrong.subarray(0, answer.stdout.length))).toBe(true)
  })
})

test.each([
  ['oid', 2],
  ['none', 8],
])('Objects that are hashed together are written at once: verify %s, %i times', (verify, times) => {
  const args = ['cat-file', '--batch-all-objects', '--unordered', '--batch']
  const env = { PACKLENS_VERIFY: verify }
  const { stdout, writes } = run(path.join(folder, 'even'), args, { env })
  expect(writes.map((write) => write.length)).toEqual(
    Array.from({ length: times }, () => stdout.length / times),
  )
  expect(
    stdout.equals(
      Buffer.concat(
        even.flatMap((content) => {
          const line = Buffer.from(`${blobId(content)} blob ${content.length}\n`)
          return [line, content, Buffer.from('\n')]
        }),
      ),
    ),
  ).toBe(true)
})
