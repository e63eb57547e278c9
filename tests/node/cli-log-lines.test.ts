/** `packlens log -L` prints what git prints, of a made history with merges and renames. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { NOW, ZONE } from '../fixtures/log-history.mjs'
import { run } from './cli-support.ts'
import { root } from './support.ts'

interface Recorded {
  readonly args: readonly string[]
  readonly exit: number
  readonly size: number
  readonly sha256: string
  readonly error?: string
}

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cli-log-lines-'))
const zone = process.env.TZ
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

beforeAll(() => {
  process.env.TZ = ZONE
  git(folder, ['init', '-q', '--bare', '--initial-branch=main', folder])
  git(folder, ['fast-import', '--quiet', '--done', '--force'], linesHistory(31, 250))
})

const recorded: Recorded[] = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'log-lines.json'), 'utf8'),
)

test.each(recorded.map((one) => [one.args.join(' '), one] as const))('%s', (_, one) => {
  const env = { GIT_TEST_DATE_NOW: NOW }
  const { exit, stdout, stderr } = run(folder, ['--git-dir', folder, ...one.args], { env })
  const sha256 = createHash('sha256').update(stdout).digest('hex')
  const [error] = stderr.split('\n')
  expect({ exit, size: stdout.length, error }).toEqual({
    ...{ exit: one.exit, size: one.size, error: one.error ?? '' },
  })
  expect(sha256).toBe(one.sha256)
})
