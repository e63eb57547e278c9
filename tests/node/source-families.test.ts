/** Every family of sources has a test file. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { families as hostile } from './hostile/repositories.ts'
import { families as kinds } from './source-kinds.ts'
import { root } from './support.ts'

const expected = [
  ...Object.keys(kinds).map((name) => ['conformance', name, 'answerAsGit']),
  ...Object.keys(hostile).map((name) => ['hostile', name, 'areRead']),
]

test.each(expected)('%s-%s.test.ts runs its family', (of, family, run) => {
  const file = path.join(root, 'tests', 'node', `${of}-${family}.test.ts`)
  expect(readFileSync(file, 'utf8')).toContain(`\n${run}('${family}')\n`)
})
