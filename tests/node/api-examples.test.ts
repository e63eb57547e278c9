/** Every exported symbol, and every method of the classes, has a comment and an example. */
import { describe, expect, test } from 'vitest'
import { ENTRIES, exampleFor, examplesOf } from '../../scripts/lib/site/examples.mjs'
import { SCRIPTS, snippetsIn } from '../../scripts/lib/site/snippets.mjs'

// tests/environments/readme.test.ts compiles and runs them.
const snippets = snippetsIn(SCRIPTS).filter(({ document }) => document.startsWith('docs/'))
const all = examplesOf(snippets)

describe.each(Object.keys(ENTRIES))('Of %s', (entry) => {
  const symbols = all.get(entry) ?? new Map()

  test('every symbol and call has an example in docs', () => {
    expect(symbols.size).toBeGreaterThan(100)
    const names = [...symbols.keys()]
    expect(names.filter((name) => exampleFor(symbols, name) === null)).toEqual([])
  })

  test('every symbol and call has a comment, or its type has one', () => {
    const commented = (name: string): boolean =>
      symbols.get(name).hasComment || symbols.get(symbols.get(name).type)?.hasComment === true
    expect([...symbols.keys()].filter((name) => !commented(name))).toEqual([])
  })
})
