/** Texts are compared as git compares them: tests/fixtures/text-diffs.mjs. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'
import type { DiffTextOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { expect, test } from 'vitest'
import { errorOf, fixture, folderOf, root } from './support.ts'

interface Recorded {
  readonly before: string
  readonly after: string
  readonly options: readonly string[]
  readonly patches: readonly string[]
  readonly answers: readonly number[]
}

const file = path.join(root, 'tests', 'fixtures', 'text-diffs.json')
const { texts } = JSON.parse(readFileSync(file, 'utf8')) as { texts: readonly Recorded[] }
const ALGORITHMS = ['myers', 'minimal', 'patience', 'histogram'] as const
const SPACES = {
  '-w': 'all',
  '-b': 'amount',
  '--ignore-space-at-eol': 'at-eol',
  '--ignore-cr-at-eol': 'cr-at-eol',
} as const
const folder = folderOf(fixture('main'))

/** Returns the options for flags of git. */
function optionsOf(flags: readonly string[]): DiffTextOptions {
  const number = (name: string) =>
    flags.filter((flag) => flag.startsWith(name)).map((flag) => Number(flag.slice(name.length)))[0]
  const space = (Object.keys(SPACES) as (keyof typeof SPACES)[]).find((flag) =>
    flags.includes(flag),
  )
  return {
    context: number('-U'),
    interHunkContext: number('--inter-hunk-context='),
    ignoreBlankLines: flags.includes('--ignore-blank-lines'),
    indentHeuristic: !flags.includes('--no-indent-heuristic'),
    ignoreSpace: space && SPACES[space],
  }
}

test('Patches of texts are those of git', () => {
  using repo = openSync(folder)
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  let compared = 0
  for (const { before, after, options, patches, answers } of texts) {
    for (const [at, algorithm] of ALGORITHMS.entries()) {
      const asked = { ...optionsOf(options), algorithm }
      const patch = repo.diffText(bytes(before), bytes(after), asked)
      const text = `${algorithm} ${options.join(' ')}`
      expect(Buffer.from(patch.bytes).toString('latin1'), text).toBe(patches[answers[at] ?? -1])
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(500)
})

test('Strings are compared as UTF-8, however long they are', async () => {
  const line = 'a line with an é\n'
  const long = line.repeat((3 << 20) / line.length)
  await using repo = await open(folder, { worker: true })
  const patch = await repo.diffText(long, `${long}the end`)
  const { added, removed, hunks, kind } = patch
  expect({ kind, added, removed }).toEqual({ kind: 'text', added: 1, removed: 0 })
  const lines = Math.floor((3 << 20) / line.length)
  expect(hunks[0]?.lines.at(-1)).toEqual({
    kind: 'added',
    text: 'the end',
    oldLine: null,
    newLine: lines + 1,
    isUnterminated: true,
  })
  expect(JSON.parse(JSON.stringify(patch))).toEqual({ kind, added, removed, hunks })
  expect(inspect(patch)).toBe(inspect(patch.toJSON()))
  expect(`${patch}`).toContain('\n+the end\n\\ No newline at end of file\n')
})

test('Equal texts have no hunks, binary ones are not compared', () => {
  using repo = openSync(folder)
  expect(repo.diffText('', '').toJSON()).toEqual({ kind: 'text', added: 0, removed: 0, hunks: [] })
  const binary = repo.diffText('a\0b', 'text')
  expect(binary.toJSON()).toEqual({ kind: 'binary', added: 0, removed: 0, hunks: [] })
})

test('What is no text is refused', async () => {
  using repo = openSync(folder)
  for (const wrong of [1, null, undefined, [1]]) {
    const error = await errorOf(() => repo.diffText('a', wrong as unknown as string))
    expect(error).toMatchObject({ code: 'BAD_INPUT' })
  }
})
