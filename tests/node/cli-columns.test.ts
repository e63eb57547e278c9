/** `%<()`, `%w()` and their like have as many columns as with git, and no more. */
import { test } from 'vitest'
import { oddHistory } from '../fixtures/log-history.mjs'
import { compareWithGit } from './beside-git.ts'
import { madeHistory } from './recorded-answers.ts'

const folder = madeHistory('cli-columns', oddHistory)

test.each([
  ...['%<(16384)x', '%<(16385)x', '%>>(2147483649)x', '%<|(-16383)x', '%<|(16385)x'],
  ...['%w(16384,1,1)x', '%w(16385,1,1)x', '%w(1,2147483649,1)x', '%w(1,1,16385)x'],
  ...['%<|(-79)%s', '%<|(-80)%s', '%<|(-81)%s'],
])('columns are limited as in git: %s', (format) => {
  compareWithGit(folder, ['--git-dir', folder, 'log', '-1', `--format=${format}`])
})
