/** Booleans and numbers of configurations, as `git config --type` reads them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { configBoolean, configInteger } from '../../dist/base/config-values.js'
import { run } from './cli-support.ts'

const WORDS = ['true', 'TRUE', 'yes', 'On', 'no', 'off', 'False', '', 't', 'y', 'n', 'maybe']

const SPACED = [' 1', '\t0', '\v1', '1 ', ' true', 'true ', '1 k', '+ 1', '\u00a01']

const NUMBERS = [
  ...[
    '0',
    '00',
    '-0',
    '+0',
    '1',
    '-1',
    '+1',
    '--1',
    '010',
    '08',
    '0x10',
    '0X1f',
    '0x',
    '0b1',
    '1e3',
  ],
  ...[
    '0k',
    '1k',
    '1K',
    '3m',
    '1g',
    '2g',
    '-1g',
    '-2g',
    '1kk',
    '1t',
    'k',
    '0xk',
    '010k',
    '2097151k',
  ],
  ...['2097152k', '2147483647', '2147483648', '-2147483647', '-2147483648', '9999999999999999999'],
]

/** Returns what git prints; `null` if it refuses the value. */
function asked(type: string, value: string): string | null {
  const args = ['-c', `a.b=${value}`, 'config', `--type=${type}`, 'a.b']
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

test.each([...WORDS, ...SPACED, ...NUMBERS])('%j', (value) => {
  const flag = configBoolean(value)
  expect(flag === null ? null : `${flag}`).toBe(asked('bool', value))
  const number = configInteger(value)
  // git prints numbers of 64 bits here; a variable of 32 bits must be within its limits.
  const printed = asked('int', value)
  const isLarge = printed !== null && Math.abs(Number(printed)) > 2 ** 31 - 1
  expect(number === null ? null : `${number}`).toBe(isLarge ? null : printed)
  if (isLarge) expect(configInteger(value, 2 ** 40)).toBe(Number(printed))
})

const place = mkdtempSync(path.join(tmpdir(), 'packlens-config-values-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('of the environment, git refuses what is no boolean', () => {
  spawnSync('git', ['init', '-q', place])
  for (const name of ['GIT_CONFIG_NOSYSTEM', 'GIT_LITERAL_PATHSPECS']) {
    const { exit, stderr } = run(place, ['status', '--porcelain', 'x'], {
      env: { [name]: 'maybe' },
    })
    expect(exit).toBe(128)
    expect(stderr).toBe(`fatal: bad boolean environment value 'maybe' for '${name}'\n`)
  }
})
