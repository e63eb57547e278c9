/** `packlens log -L` prints what git prints, of a made history with merges and renames. */
import { test } from 'vitest'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { expectRecorded, madeHistory, recordedIn } from './recorded-answers.ts'

const folder = madeHistory('cli-log-lines', () => linesHistory(31, 250))
const recorded = recordedIn('log-lines.json')

test.each(recorded.map((one) => [one.args.join(' '), one] as const))('%s', (_, one) => {
  expectRecorded(folder, one)
})
