/** `cat-file --frames`: docs/frames.md. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { FrameReader, type PacklensError } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { cli, environment, root, run, splitAnswers, unpacked } from './cli-support.js'

const specs = ['HEAD', 'HEAD^{tree}', 'v1.0', 'main:README.md', 'nope', 'HEAD:empty', '0e09']
const stdin = `${specs.join('\n')}\n`

interface Read {
  /** The complete parts. */
  readonly parts: Buffer[]
  readonly interruptions: string[]
  /** The bytes of the incomplete part. */
  readonly open: Buffer | undefined
  readonly error: PacklensError | undefined
}

/** Reads a stream in pieces of `size` bytes. */
function read(bytes: Uint8Array, piece: number): Read {
  const parts: Buffer[] = []
  const interruptions: string[] = []
  const reader = new FrameReader()
  let data: Uint8Array[] | undefined
  let message = ''
  for (let at = 0; at < bytes.length; at += piece) {
    let rest = bytes.subarray(at, at + piece)
    while (rest.length > 0) {
      if (!data) reader.nextPart()
      const frames: Uint8Array[] = data ?? []
      data = frames
      const given = rest
      rest = rest.subarray(rest.length)
      for (const event of reader.read(given)) {
        if (event.type === 'data') frames.push(event.bytes)
        if (event.type === 'interruption') message += Buffer.from(event.bytes).toString()
        if (event.type === 'interruptionEnd') {
          interruptions.push(message)
          message = ''
        }
        if (event.type === 'end') {
          parts.push(Buffer.concat(frames))
          data = undefined
          rest = event.rest
        }
      }
    }
  }
  let error: PacklensError | undefined
  try {
    if (data) reader.finish()
  } catch (thrown) {
    error = thrown as PacklensError
  }
  return { parts, interruptions, open: data && Buffer.concat(data), error }
}

/** The lengths in the stream, none of which may be an interruption. */
function lengths(bytes: Buffer): number[] {
  const found: number[] = []
  for (let at = 0; at < bytes.length; at += 4 + (found.at(-1) as number)) {
    found.push(bytes.readInt32BE(at))
  }
  return found
}

const everything = ['--batch-all-objects']
const modes = [
  { args: ['--batch'], stdin },
  { args: ['--batch', '--buffer'], stdin },
  { args: ['--batch-check'], stdin },
  { args: ['--batch-check=%(objectsize)%(rest)'], stdin: 'HEAD and more\nv1.0\n' },
  { args: ['--batch-command'], stdin: 'info HEAD\ncontents HEAD\ninfo nope\n' },
  { args: ['--batch-command', '--buffer'], stdin: 'info HEAD\ncontents HEAD\nflush\ninfo v1.0\n' },
  { args: ['--batch-check', ...everything] },
  { args: ['--batch', ...everything] },
  { args: ['--batch', '--unordered', '--no-buffer', ...everything] },
]

describe.each(modes)('$args', ({ args, stdin = '' }) => {
  const asked = ['cat-file', ...args]
  const plain = run('main', asked, { stdin })

  const all = args.includes('--batch-all-objects')
  const sizes: [string, number][] = [
    ['32k', 32 << 10],
    ['1m', 1 << 20],
    ...(all
      ? []
      : ([
          ['1', 1],
          ['100', 100],
          ['4k', 4 << 10],
        ] as [string, number][])),
  ]
  const pieces = all ? [4096, 1 << 22] : [1, 3, 4096, 1 << 22]

  test.each(sizes)('in frames of %s', (size, chunk) => {
    const framed = run('main', [...asked, '--frames', `--chunk-size=${size}`], { stdin })
    expect({ exit: framed.exit, stderr: framed.stderr }).toEqual({ exit: 0, stderr: plain.stderr })
    for (const piece of pieces) {
      const { parts, interruptions, error } = read(framed.stdout, piece)
      expect({ interruptions, error }).toEqual({ interruptions: [], error: undefined })
      expect(Buffer.concat(parts).equals(plain.stdout), `by ${piece}`).toBe(true)
    }
    const { parts } = read(framed.stdout, 1 << 22)
    const expected = parts.flatMap(({ length }) => [
      ...Array<number>(Math.floor(length / chunk)).fill(chunk),
      ...(length % chunk > 0 ? [length % chunk] : []),
      0,
    ])
    expect(lengths(framed.stdout)).toEqual(expected)
  })
})

test('each answer is a part', () => {
  for (const mode of ['--batch', '--batch-check']) {
    for (const more of [[], ['--buffer'], everything]) {
      const asked = ['cat-file', mode, ...more]
      const answers = splitAnswers(run('main', asked, { stdin }).stdout, mode === '--batch')
      const { parts } = read(run('main', [...asked, '--frames'], { stdin }).stdout, 1 << 20)
      expect(parts.map(String)).toEqual(answers.map(String))
    }
  }
})

test('a part is written when it is complete, or with --buffer when there is enough', () => {
  const each = run('main', ['cat-file', '--batch', '--frames'], { stdin })
  expect(each.writes.length).toBe(specs.length)
  for (const write of each.writes) expect(read(write, 99).parts.length).toBe(1)
  const many = stdin.repeat(300)
  const args = ['cat-file', '--batch', '--frames', '--buffer']
  const gathered = run('main', args, { stdin: many })
  expect(gathered.writes.length).toBeGreaterThan(2)
  for (const write of gathered.writes.slice(0, -1)) {
    expect(write.length).toBeGreaterThanOrEqual(64 << 10)
  }
})

test('no requests make no parts', () => {
  const { exit, stdout } = run('main', ['cat-file', '--batch', '--frames'], { stdin: '' })
  expect({ exit, length: stdout.length }).toEqual({ exit: 0, length: 0 })
})

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a fatal error is an interruption', () => {
  const repository = path.join(folder, 'repository')
  cpSync(path.join(unpacked, 'loose'), repository, { recursive: true })
  const env = { PACKLENS_MEMORY: '1m' }
  const whole = run(repository, ['cat-file', '--batch'], { stdin: 'HEAD\n' }).stdout
  const { content, oid } = damagedBlob()

  /** A blob of 1 MiB whose deflated bytes end in the middle. */
  function damagedBlob() {
    const content = Buffer.alloc(1 << 20, 'content ')
    const object = Buffer.concat([Buffer.from(`blob ${content.length}\0`), content])
    const oid = createHash('sha1').update(object).digest('hex')
    mkdirSync(path.join(repository, 'objects', oid.slice(0, 2)), { recursive: true })
    const stored = deflateSync(object, { level: 0 })
    const file = path.join(repository, 'objects', oid.slice(0, 2), oid.slice(2))
    writeFileSync(file, stored.subarray(0, stored.length >> 1))
    return { content, oid }
  }

  test.each([
    { args: ['--batch'], stdin: `HEAD\n${oid}\nHEAD\n` },
    { args: ['--batch', '--buffer'], stdin: `HEAD\n${oid}\nHEAD\n` },
    { args: ['--batch-command'], stdin: `contents HEAD\ncontents ${oid}\n` },
  ])('damage in the middle of a stream: $args', ({ args, stdin }) => {
    const answer = run(repository, ['cat-file', '--frames', ...args], { stdin, env })
    for (const piece of [1, 1000, 1 << 20]) {
      const { parts, interruptions, open, error } = read(answer.stdout, piece)
      expect(parts.map(String)).toEqual([whole.toString()])
      expect(interruptions).toEqual([answer.stderr])
      expect(error?.code).toBe('CORRUPT')
      const line = `${oid} blob ${content.length}\n`
      const expected = Buffer.concat([Buffer.from(line), content])
      expect(open?.length).toBeGreaterThan(content.length / 3)
      expect(open?.equals(expected.subarray(0, open.length))).toBe(true)
    }
    expect(answer.exit).toBe(128)
    expect(answer.stderr).toMatch(/^fatal: .+\n$/)
  })

  test('damage among all objects', () => {
    const args = ['cat-file', '--batch', ...everything, '--frames']
    const answer = run(repository, args, { env })
    const { parts, interruptions, open } = read(answer.stdout, 4096)
    expect(interruptions).toEqual([answer.stderr])
    expect(open?.toString('latin1').startsWith(`${oid} blob ${content.length}\n`)).toBe(true)
    expect(parts.length).toBeGreaterThan(0)
    expect(answer.exit).toBe(128)
  })

  test.each([
    { what: 'a name that cannot be resolved', args: ['--batch'], stdin: 'HEAD\nHEAD^{/(a)\\1}\n' },
    { what: 'a command there is not', args: ['--batch-command'], stdin: 'contents HEAD\nnope\n' },
  ])('$what', ({ args, stdin }) => {
    const answer = run(repository, ['cat-file', '--frames', ...args], { stdin })
    const { parts, interruptions, open, error } = read(answer.stdout, 5)
    expect(parts.map(String)).toEqual([whole.toString()])
    expect(interruptions).toEqual([answer.stderr])
    expect({ length: open?.length, code: error?.code }).toEqual({ length: 0, code: 'CORRUPT' })
    expect(answer.exit).toBe(128)
  })

  test('a folder without a repository, and an invalid format', () => {
    for (const answer of [
      run('/', ['cat-file', '--batch', '--frames'], { stdin }),
      run(repository, ['cat-file', '--batch=%(nope)', '--frames'], { stdin }),
    ]) {
      expect(answer.exit).toBe(128)
      expect(read(answer.stdout, 99).interruptions).toEqual([answer.stderr])
    }
  })
})

describe('options', () => {
  test.each(['0', '65m', '-1', 'much', ''])('--chunk-size=%s is refused', (size) => {
    const args = ['cat-file', '--batch', '--frames', `--chunk-size=${size}`]
    const { exit, stdout, stderr } = run('main', args)
    expect({ exit, length: stdout.length }).toEqual({ exit: 129, length: 0 })
    expect(stderr).toBe(`error: option \`chunk-size' takes a size from 1 to 64m, not '${size}'\n`)
  })

  test('each option requires another', () => {
    const frames = run('main', ['cat-file', '--frames', '-p', 'HEAD'])
    expect(frames.exit).toBe(129)
    expect(frames.stderr).toMatch(/^fatal: '--frames' requires a batch mode\n/)
    const size = run('main', ['cat-file', '--batch', '--chunk-size=4k'])
    expect(size.exit).toBe(129)
    expect(size.stderr).toMatch(/^fatal: '--chunk-size' requires '--frames'\n/)
  })
})

describe('examples/read-frames.mjs', () => {
  const example = path.join(root, 'examples', 'read-frames.mjs')
  const tell = (input: Uint8Array) =>
    spawnSync(process.execPath, [example], { cwd: root, env: environment, input })

  test('lists each answer', () => {
    const args = ['cat-file', '--batch']
    const framed = spawnSync(process.execPath, [cli, ...args, '--frames'], {
      cwd: path.join(unpacked, 'main'),
      env: environment,
      input: stdin,
    })
    const answers = splitAnswers(run('main', args, { stdin }).stdout, true)
    const expected = answers.map(
      (answer) => `${createHash('sha256').update(answer).digest('hex')} ${answer.length}\n`,
    )
    const reported = tell(framed.stdout)
    expect(reported.stdout.toString()).toBe(expected.join(''))
    expect({ status: reported.status, stderr: `${reported.stderr}` }).toEqual({
      status: 0,
      stderr: '',
    })
  })

  test('reports errors', () => {
    const { stdout } = run('main', ['cat-file', '--batch-check', '--frames'], {
      stdin: 'HEAD^{/(a)\\1}',
    })
    const reported = tell(stdout)
    expect(`${reported.stderr}`).toMatch(/^after 0 bytes of an answer: fatal: .+\n/)
    expect(reported.status).toBe(1)
  })
})

test('docs/frames.md shows the bytes that are written', () => {
  const doc = readFileSync(path.join(root, 'docs', 'frames.md'), 'utf8')
  const args = ['cat-file', '--batch-check', '--frames']
  const { stdout } = run('main', args, { stdin: 'HEAD\n' })
  const shown = doc.matchAll(/^[0-9a-f]{8}: (.{39}) /gm)
  const digits = Array.from(shown, (match) => match[1])
    .join('')
    .replaceAll(' ', '')
  expect(digits).toBe(stdout.toString('hex'))
})
