/**
 * Asks every kind of source the same questions, and compares the answers with git's. Each
 * family of kinds has its own test file: see source-kinds.ts.
 */
import { describe, expect, test } from 'vitest'
import { roundsOf } from '../support/conformance.ts'
import { families } from './source-kinds.ts'
import { fixtures } from './support.ts'

/** Defines tests that ask all questions of the kinds of a family. */
export function answerAsGit(family: keyof typeof families): void {
  for (const kind of families[family]) {
    describe(`From ${kind.name}`, () => {
      for (const [question, about] of roundsOf(kind, fixtures)) {
        test(`returns ${question.name}`, async () => {
          expect(about.length).toBeGreaterThan(0)
          for (const of of about) {
            expect(await kind.ask(question, of), of.name).toEqual(question.expected(of, kind))
          }
        })
      }
    })
  }
}
