/** Dates in words are the times that git takes them for. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { secondsOfDate } from '../../dist/node/cli/dates/loose-date.js'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { run } from './cli-support.ts'
import { root } from './support.ts'

const recorded: { zone: string; now: string; dates: [string, string][] }[] = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'dates.json'), 'utf8'),
)

const before = { TZ: process.env.TZ, GIT_TEST_DATE_NOW: process.env.GIT_TEST_DATE_NOW }

afterEach(() => {
  for (const [name, value] of Object.entries(before)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

test.each(recorded.map((world) => [world.zone, world] as const))('in %s', (_, world) => {
  process.env.TZ = world.zone
  process.env.GIT_TEST_DATE_NOW = world.now
  expect(world.dates.length).toBeGreaterThan(300)
  // git's seconds have no sign.
  const answers = world.dates.map(([date]) => [
    date,
    `${BigInt.asUintN(64, BigInt(secondsOfDate(date)))}`,
  ])
  expect(answers).toEqual(world.dates)
})

test('an hour that clocks skip is told by the clocks of now', () => {
  process.env.TZ = 'Europe/Berlin'
  // git's answers, asked in January and in June 2002: at 2 on that day clocks were put to 3.
  for (const [now, seconds] of [
    ['1010627468', 449024400],
    ['1025000000', 449020800],
  ] as const) {
    process.env.GIT_TEST_DATE_NOW = now
    expect(secondsOfDate('1984/3/25 2 am')).toBe(seconds)
  }
})

describe('on the command line', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-dates-'))
  const now = 1_700_000_000
  const day = 86_400
  const times = [now - 40 * day, now - 10 * day, now - 3600]

  beforeAll(() => {
    git(folder, ['init', '-q', '--bare', '--initial-branch=main', folder])
    for (const [at, time] of times.entries()) {
      const commit = `commit refs/heads/main\ncommitter A <a@b> ${time} +0000\ndata 2\n${at}\n`
      const from = at > 0 ? 'from refs/heads/main^0\n' : ''
      git(folder, ['fast-import', '--quiet', '--done'], `${commit}${from}\ndone\n`)
    }
    const ids = ['0'.repeat(40), ...git(folder, ['rev-list', '--reverse', 'main'])]
    const log = times.map((time, at) => `${ids[at]} ${ids[at + 1]} A <a@b> ${time} +0000\tset\n`)
    mkdirSync(path.join(folder, 'logs', 'refs', 'heads'), { recursive: true })
    writeFileSync(path.join(folder, 'logs', 'refs', 'heads', 'main'), log.join(''))
    return () => rmSync(folder, { recursive: true, force: true })
  })

  const asked = (...args: string[]) => {
    process.env.TZ = 'UTC'
    const env = { GIT_TEST_DATE_NOW: `${now}` }
    const { exit, stdout } = run(folder, ['--git-dir', folder, ...args], { env })
    return exit === 0 ? `${stdout}`.split('\n').slice(0, -1) : exit
  }

  test.each([
    [['--since=2 weeks ago'], ['2', '1']],
    [['--after', 'yesterday'], ['2']],
    [['--until=yesterday'], ['1', '0']],
    [['--before=last month', '--since=never'], ['0']],
    [['--since-as-filter=2023-11-14 10:00'], ['2']],
  ])('log %j', (options, subjects) => {
    expect(asked('log', '--format=%s', ...options, 'main')).toEqual(subjects)
  })

  test.each([
    ['main@{2.weeks.ago}', '0'],
    ['main@{yesterday}', '1'],
    ['main@{now}^', '1'],
    ['main@{2023-11-14 22:13}', '2'],
    ['main@{1 day ago}:file@{x}', null],
  ])('%s', (name, subject) => {
    const commit = asked('log', '-1', '--format=%s', name)
    expect(commit).toEqual(subject === null ? 128 : [subject])
  })
})
