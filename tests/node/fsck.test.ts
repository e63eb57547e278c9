/** Faults of repositories, reported as git does: tests/fixtures/fsck.mjs asked git. */
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Finding, FsckProgress } from 'packlens'
import { open } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { cases, withRepository } from '../fixtures/damaged/cases.mjs'
import { root, run, unpacked } from './cli-support.ts'
import { codeOf, collect, errorOf } from './support.ts'

interface Answer {
  readonly repository: string
  readonly args: readonly string[]
  /** The lines that are added to the config. */
  readonly config?: string
  readonly exit: number
  /** Returns sorted lines, without those of zlib and of readers of files in between. */
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  /** The git of the other recordings reports this differently. */
  readonly newer?: true
}

const recorded = path.join(root, 'tests', 'fixtures', 'fsck.json')
const answers: Answer[] = JSON.parse(readFileSync(recorded, 'utf8'))
const repositories = [...new Set(answers.map(({ repository }) => repository))]

function linesOf(text: string): string[] {
  const lines = text.replaceAll('\n              to', '<in>to').split('\n')
  // Omits the words of readers about an object, as of git's output.
  return lines.filter((line) => line !== '' && !line.startsWith('error: Could not read ')).sort()
}

test('git was asked about repositories of every kind', () => {
  expect(repositories.length).toBeGreaterThan(30)
  const exits = new Set(answers.map(({ exit }) => exit))
  expect([...exits].sort()).toEqual(expect.arrayContaining([0, 1, 2, 4]))
  expect(answers.filter(({ newer }) => !newer).length).toBeGreaterThan(answers.length / 2)
})

const scratch = mkdtempSync(path.join(os.tmpdir(), 'packlens-fsck-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Returns a copy of a repository with additional lines in its config. */
function withConfig(repository: string, config: string): string {
  const copy = path.join(scratch, 'copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(path.join(unpacked, repository), copy, { recursive: true })
  appendFileSync(path.join(copy, 'config'), config)
  return copy
}

describe.each(repositories)('%s', (repository) => {
  test('is reported as git does', () => {
    const about = answers.filter((answer) => answer.repository === repository)
    for (const { args, exit, stdout, stderr, config } of about) {
      const settled = config && withConfig(repository, config)
      const answer = run(settled ?? repository, ['fsck', ...args])
      const reported = {
        args,
        exit: answer.exit,
        stdout: linesOf(answer.stdout.toString('latin1')),
        stderr: linesOf(answer.stderr),
      }
      expect(reported).toEqual({ args, exit, stdout, stderr })
    }
  })
})

const folderOf = (name: string) => path.join(unpacked, 'fsck', name)

async function verify(name: string, options = {}, asked = {}): Promise<Finding[]> {
  await using repo = await open(folderOf(name), options)
  return await repo.fsck(asked)
}

const short = ({ id, severity, type, oid, to }: Finding) => ({ id, severity, type, oid, to })

test('Severities and skip lists of the caller are respected', async () => {
  const all = await verify('rules')
  const of = (id: string) => (finding: Finding) => finding.id === id
  expect(all.filter(of('badDate')).length).toBeGreaterThan(3)
  const severities = { badDate: 'ignore', BADEMAIL: 'warn', hasDotgit: 'error' } as const
  const rest = all.filter((finding) => !of('badDate')(finding))
  const weighed = rest.map((finding) => {
    if (of('badEmail')(finding)) return { ...finding, severity: 'warn' }
    return of('hasDotgit')(finding) ? { ...finding, severity: 'error' } : finding
  })
  const found = await verify('rules', {}, { severities })
  // A warning does not end the check of an object.
  expect(found).toEqual(expect.arrayContaining(weighed))
  const isOfRules = ({ type, id, message }: Finding) =>
    type === 'tree' && id !== 'dangling' && message !== 'broken links'
  const skipList = [...new Set(all.filter(isOfRules).map(({ oid }) => `${oid}`))].slice(3)
  const left = all.filter((one) => !isOfRules(one) || !skipList.includes(`${one.oid}`))
  expect(left.length).toBeLessThan(all.length - 20)
  for (const options of [{}, { worker: true }]) {
    expect(await verify('rules', options, { skipList })).toEqual(left)
  }
  const copy = withConfig('fsck/rules', '[fsck]\n\tskipList = known\n')
  writeFileSync(path.join(copy, 'known'), `# These.\n${skipList.join('  # one\n')}\n`)
  await using repo = await open(copy)
  expect(await repo.fsck()).toEqual(left)
})

test.each([
  [{ nope: 'warn' }, 'nope'],
  [{ badDate: 'fatal' }, 'fatal'],
  [{ nulInHeader: 'warn' }, 'nulinheader to warn'],
])('Severities %j are BAD_INPUT', async (severities, subject) => {
  const error = await errorOf(() => verify('good', {}, { severities }))
  expect(error).toMatchObject({ code: 'BAD_INPUT', subject })
})

/** git 2.55 reports the finding, and exits with 0. */
test('A tree whose file is empty is a fault with connectivityOnly', () => {
  const made = cases.find(({ name }) => name === 'a root tree that is garbage')
  if (!made) throw new Error('there is no such case')
  withRepository(made, unpacked, (folder) => {
    const tree = '2f42e2c1c1afd4ef8c66a2aaba5d5e1baddcab33'
    writeFileSync(path.join(folder, 'objects', tree.slice(0, 2), tree.slice(2)), '')
    const { exit, stderr } = run(folder, ['fsck', '--connectivity-only', '--no-dangling'])
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: `error: Could not read ${tree}\n` })
  })
})

test('Findings are a list, here and in a worker', async () => {
  const findings = await verify('missing-mainatxt')
  expect(findings.map(short)).toEqual([
    {
      id: 'brokenLink',
      severity: 'error',
      type: 'tree',
      oid: expect.stringMatching(/^[0-9a-f]{40}$/),
      to: '5626abf0f72e58d7a153368ba57db4c673c0e171',
    },
    {
      id: 'missing',
      severity: 'error',
      type: 'blob',
      oid: '5626abf0f72e58d7a153368ba57db4c673c0e171',
      to: null,
    },
  ])
  for (const name of ['missing-mainatxt', 'rules', 'flipped-pack', 'bad-refs', 'goodsha256']) {
    expect(await verify(name, { worker: true })).toEqual(await verify(name))
  }
})

test('Findings have git’s message ids and severities', async () => {
  const weighed = (findings: Finding[], expected: string) =>
    new Set(findings.filter(({ id }) => id === expected).map(({ severity }) => severity))
  const findings = await verify('rules')
  expect(weighed(findings, 'hasDotgit')).toEqual(new Set(['warn']))
  expect(weighed(findings, 'badFilemode')).toEqual(new Set(['info']))
  expect(weighed(findings, 'badDate')).toEqual(new Set(['error']))
  const strict = await verify('rules', {}, { strict: true })
  expect(weighed(strict, 'hasDotgit')).toEqual(new Set(['error']))
  const url = findings.find(({ id }) => id === 'gitmodulesUrl')
  expect(url).toMatchObject({
    type: 'blob',
    message: expect.stringMatching(/^disallowed submodule url: /),
  })
})

test('A pack with a wrong checksum is still read', async () => {
  const findings = await verify('flipped-trailer', {}, { dangling: false })
  expect(findings.map(({ id }) => id)).toEqual(['packChecksum', 'packIndexMismatch'])
  expect(findings[0]?.place).toMatch(/^objects\/pack\/pack-[0-9a-f]{40}\.pack$/)
})

test('fsck reports its progress, and ends when it is aborted', async () => {
  const steps: FsckProgress[] = []
  await verify('packed', {}, { onProgress: (step: FsckProgress) => steps.push(step) })
  expect(new Set(steps.map(({ phase }) => phase))).toEqual(
    new Set(['packs', 'objects', 'connectivity']),
  )
  for (const { done, total } of steps) expect(done).toBeLessThanOrEqual(total)
  const last = steps.at(-1)
  expect(last?.done).toBe(last?.total)
  for (const worker of [false, true]) {
    const controller = new AbortController()
    const asked = { signal: controller.signal, onProgress: () => controller.abort() }
    expect(await codeOf(() => verify('packed', { worker }, asked))).toBe('ABORTED')
  }
})

test('Each object is read once if none is missing', async () => {
  await using repo = await open(folderOf('packed'))
  const { length } = await collect(repo.objects())
  const before = repo.stats().objects
  await repo.fsck()
  const again = repo.stats().objects - before - length
  // Objects that were read before they were known to be reachable.
  expect(again).toBeLessThan(length / 2)
  expect(again).toBeGreaterThanOrEqual(0)
})

test('fsck keeps to the memory limit', async () => {
  await using repo = await open(folderOf('rules'), { memory: 4 << 20 })
  const findings = await repo.fsck()
  expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(4 << 20)
  expect(findings).toEqual(await verify('rules'))
})

test('A damaged index file is a finding; the rest is checked as well', async () => {
  const of = async (name: string) => {
    await using repo = await open(path.join(unpacked, 'index-files', name))
    return (await repo.fsck()).map(({ id, severity, place }) => ({ id, severity, place }))
  }
  const wrong = { severity: 'error', place: 'index' }
  expect(await of('bad-flipped')).toEqual(
    expect.arrayContaining([
      { id: 'badIndexFile', ...wrong },
      { id: 'dangling', severity: 'info', place: null },
    ]),
  )
  expect(await of('bad-order')).toContainEqual({ id: 'badIndexEntries', ...wrong })
  expect(await of('bad-gone')).toContainEqual({ id: 'shortIndexFile', ...wrong })
  expect(await of('v4')).toEqual([{ id: 'dangling', severity: 'info', place: null }])
})

test('Pack entries are compared with the checksums of their index', async () => {
  await using repo = await open(folderOf('packed'), { verify: 'crc' })
  await repo.read('refs/heads/main')
  expect(repo.stats().crcBytes).toBeGreaterThan(0)
  expect(repo.stats().hashedBytes).toBe(0)
  await using flipped = await open(folderOf('flipped-pack'), { verify: 'crc' })
  const rows = await collect(flipped.objects())
  const reported = rows.flatMap((row) => (row.type === 'failed' ? [row.error.message] : []))
  expect(reported.length).toBeGreaterThan(0)
  const what = 'an entry does not match the checksum in its index'
  for (const message of reported) expect(message).toContain(what)
})

test('Unknown flags, and some flags of git, are refused', () => {
  expect(run('fsck/good', ['fsck', '--lost-found'])).toMatchObject({ exit: 128 })
  expect(run('fsck/good', ['fsck', '--nothing'])).toMatchObject({ exit: 129 })
})
