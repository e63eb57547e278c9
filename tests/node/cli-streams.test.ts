/** When the command line reads and writes, and how it ends after errors. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { cli, environment, recordings, run, splitAnswers, unpacked } from './cli-support.js'

const specs = ['HEAD', 'HEAD^{tree}', 'v1.0', 'main:README.md', 'nope', 'HEAD:empty', '0e09']
const lines = `${specs.join('\n')}\n`

function start(args: readonly string[], nodeArgs: readonly string[] = []) {
  const child = spawn(process.execPath, [...nodeArgs, cli, ...args], {
    cwd: path.join(unpacked, 'main'),
    env: environment,
  })
  let stderr = ''
  child.stderr.on('data', (text) => {
    stderr += text
  })
  return { child, stderr: () => stderr }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

describe('writes', () => {
  test.each(['--batch', '--batch-check'])('each answer of %s at once', (mode) => {
    const answer = run('main', ['cat-file', mode], { stdin: lines })
    const expected = splitAnswers(answer.stdout, mode === '--batch')
    expect(answer.writes.length).toBe(specs.length)
    expect(answer.writes.map(String)).toEqual(expected.map(String))
  })

  test('from the memory of the instance, without a copy', () => {
    const memories = new Set<ArrayBufferLike>()
    const onWrite = (bytes: Uint8Array) => memories.add(bytes.buffer)
    run('main', ['cat-file', '--batch'], { stdin: 'HEAD\nmain:README.md\n', onWrite })
    expect(memories.size).toBe(1)
    for (const memory of memories) expect(memory.byteLength).toBeGreaterThan(1 << 20)
  })

  test.each([
    ['cat-file', '--batch-all-objects', '--batch'],
    ['cat-file', '--batch-all-objects', '--batch-check'],
  ])('gathers the answers for all objects: %s %s %s', (...args) => {
    const gathered = run('main', args)
    const single = run('main', [...args, '--no-buffer'])
    expect(single.stdout.equals(gathered.stdout)).toBe(true)
    expect(single.writes.length).toBe(splitAnswers(single.stdout, args.includes('--batch')).length)
    for (const write of gathered.writes.slice(0, -1)) {
      expect(write.length).toBeGreaterThanOrEqual(64 << 10)
    }
  })

  test('gathers with --buffer until the buffer is full or the input ends', () => {
    const few = run('main', ['cat-file', '--batch', '--buffer'], { stdin: lines })
    expect(few.writes.length).toBe(1)
    const stdin = lines.repeat(200)
    const many = run('main', ['cat-file', '--batch', '--buffer'], { stdin })
    expect(many.stdout.equals(run('main', ['cat-file', '--batch'], { stdin }).stdout)).toBe(true)
    for (const write of many.writes.slice(0, -1)) {
      expect(write.length).toBeGreaterThanOrEqual(64 << 10)
      expect(write.length).toBeLessThan(1 << 20)
    }
  })

  test('keeps gathered answers while it fetches objects for the next one', () => {
    const stdin = `HEAD\n${'HEAD:items\nmain~20^{tree}\nv1.0\n'.repeat(3)}`
    const direct = run('main', ['cat-file', '--batch'], { stdin })
    const gathered = run('main', ['cat-file', '--batch', '--buffer'], {
      stdin,
      env: { PACKLENS_MEMORY: '1m' },
    })
    expect(gathered.stdout.equals(direct.stdout)).toBe(true)
  })

  test('commands wait for `flush`', () => {
    const stdin = 'info HEAD\ninfo v1.0\nflush\ninfo nope\n'
    const { writes } = run('main', ['cat-file', '--batch-command', '--buffer'], { stdin })
    expect(writes.map((write) => `${write}`.split('\n').length - 1)).toEqual([2, 1])
  })
})

test('an error among waiting commands discards them all, however many there are', () => {
  const stdin = `${'contents HEAD\n'.repeat(500)}nonsense\n`
  const direct = run('main', ['cat-file', '--batch-command'], { stdin })
  expect(direct.writes.length).toBe(500)
  const { exit, stdout } = run('main', ['cat-file', '--batch-command', '--buffer'], { stdin })
  expect({ exit, length: stdout.length }).toEqual({ exit: 128, length: 0 })
})

describe('-Z', () => {
  const input = specs.join('\0')

  test.each(['--batch', '--batch-check'])(
    '%s: NUL ends requests, header lines and content',
    (mode) => {
      const { stdout: asLines } = run('main', ['cat-file', mode], { stdin: lines })
      const answers = splitAnswers(asLines, mode === '--batch')
      const expected = answers.map((answer) => {
        const copy = Buffer.from(answer)
        copy[copy.indexOf('\n')] = 0
        if (mode === '--batch') copy[copy.length - 1] = 0
        return copy
      })
      const { stdout, exit } = run('main', ['cat-file', mode, '-Z'], { stdin: input })
      expect(stdout.toString('latin1')).toBe(Buffer.concat(expected).toString('latin1'))
      expect(exit).toBe(0)
    },
  )

  test('names with newlines are printed unchanged', () => {
    const stdin = 'HEAD:odd/new\nline\0no\nsuch\0'
    const { stdout } = run('main', ['cat-file', '--batch-check', '-Z'], { stdin })
    expect(stdout.toString()).toMatch(/^[0-9a-f]{40} blob 19\0no\nsuch missing\0$/)
  })

  test('all objects, and commands', () => {
    const all = ['cat-file', '--batch-all-objects', '--batch-check']
    const expected = run('main', all).stdout.toString().replaceAll('\n', '\0')
    expect(run('main', [...all, '-Z']).stdout.toString()).toBe(expected)
    const commands = ['cat-file', '--batch-command', '-Z']
    const stdin = 'info HEAD\0contents HEAD:README.md\0'
    expect(run('main', commands, { stdin }).stdout.toString()).toMatch(
      /^[0-9a-f]{40} commit 311\0[0-9a-f]{40} blob 36\0# packed things\n\nA history to read\.\n\0$/,
    )
    expect(run('main', ['cat-file', '-Z', '-p', 'HEAD']).exit).toBe(129)
  })
})

describe('a process', () => {
  test('answers before the next request arrives', async () => {
    const { child } = start(['cat-file', '--batch-check'])
    for (const spec of ['HEAD', 'v1.0', 'nope']) {
      child.stdin.write(`${spec}\n`)
      const [answer] = await once(child.stdout, 'data')
      expect(`${answer}`).toMatch(/^[^\n]+\n$/)
    }
    child.stdin.end()
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
  })

  test.each([
    { args: ['cat-file', '--batch-all-objects', '--batch'] },
    { args: ['cat-file', '--batch-all-objects', '--batch', '--no-buffer'] },
    { args: ['ls-tree', '-r', '-t', '-l', 'HEAD'] },
  ])(
    'ends without an error message when the reader has closed the pipe: $args',
    async ({ args }) => {
      const { child, stderr } = start(args)
      child.stdout.destroy()
      const [code] = await once(child, 'exit')
      expect({ code, stderr: stderr() }).toEqual({ code: 141, stderr: '' })
    },
  )

  const everything = ['cat-file', '--batch-all-objects', '--batch']
  const recorded = recordings.find(({ args }) => `${args}` === `${everything}`)
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

  test('writes everything to a slow reader', async () => {
    const { child } = start(everything)
    await sleep(500)
    expect(sha256(await readAll(child.stdout))).toBe(recorded?.stdoutSha256)
  })

  test('sleeps while a non-blocking pipe is full', async () => {
    // Accessing process.stdout makes Node switch the pipe to non-blocking.
    const prelude = `process.stdout
      process.on('exit', () => console.error(JSON.stringify(process.cpuUsage())))`
    const { child, stderr } = start(everything, [
      '--import',
      `data:text/javascript,${encodeURIComponent(prelude)}`,
    ])
    const exited = once(child, 'exit')
    await sleep(3000)
    expect(sha256(await readAll(child.stdout))).toBe(recorded?.stdoutSha256)
    await exited
    const { user, system } = JSON.parse(stderr()) as NodeJS.CpuUsage
    expect(user + system).toBeLessThan(2e6)
  })
})

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-'))
afterAll(() => rmSync(folder, { recursive: true }))
cpSync(path.join(unpacked, 'loose'), folder, { recursive: true })
const idOf = (spec: string) => run(folder, ['rev-parse', spec]).stdout.toString().trim()
const readme = idOf('HEAD:README.md')
const tree = idOf('HEAD^{tree}')
const fileOf = (oid: string) => path.join(folder, 'objects', oid.slice(0, 2), oid.slice(2))

describe('a damaged object', () => {
  test('whose header is damaged is missing from a batch', () => {
    const whole = readFileSync(fileOf(readme))
    rmSync(fileOf(readme))
    writeFileSync(fileOf(readme), 'garbage')
    for (const mode of ['--batch', '--batch-check']) {
      for (const buffer of ['--buffer', '--no-buffer']) {
        const stdin = `${readme}\nHEAD^{tree}\n`
        const answer = run(folder, ['cat-file', mode, buffer], { stdin })
        expect(answer.stdout.toString('latin1')).toContain(`${readme} missing\n${tree} tree `)
        expect(answer.stderr).toMatch(/^error: .+\n$/)
        expect(answer.exit).toBe(0)
      }
    }
    const all = run(folder, ['cat-file', '--batch-all-objects', '--batch-check'])
    expect(all.stdout.toString()).toContain(`\n${readme} missing\n`)
    expect(all.exit).toBe(0)
    expect(run(folder, ['cat-file', '-e', readme]).exit).toBe(0)
    expect(run(folder, ['cat-file', '-p', readme])).toMatchObject({ exit: 128 })
    expect(run(folder, ['ls-tree', '-l', 'HEAD']).stdout.toString()).toContain(
      '     BAD\tREADME.md\n',
    )
    writeFileSync(fileOf(readme), whole)
  })

  test('whose content is damaged ends a batch after the header line', () => {
    const whole = readFileSync(fileOf(readme))
    rmSync(fileOf(readme))
    // The checksum at the end is wrong; everything before it can be read.
    writeFileSync(fileOf(readme), Buffer.concat([whole.subarray(0, -1), Buffer.of(1)]))
    for (const buffer of ['--buffer', '--no-buffer']) {
      const stdin = `HEAD\n${readme}\nHEAD\n`
      const answer = run(folder, ['cat-file', '--batch', buffer], { stdin })
      const head = run(folder, ['cat-file', '--batch'], { stdin: 'HEAD\n' }).stdout.toString()
      expect(answer.stdout.toString()).toBe(`${head}${readme} blob 36\n`)
      expect(answer.stderr).toMatch(/^fatal: .+\n$/)
      expect(answer.exit).toBe(128)
    }
    const all = run(folder, ['cat-file', '--batch-all-objects', '--batch'])
    expect(all.stdout.toString('latin1').endsWith(`\n${readme} blob 36\n`)).toBe(true)
    expect(all.exit).toBe(128)
    writeFileSync(fileOf(readme), whole)
  })
})
