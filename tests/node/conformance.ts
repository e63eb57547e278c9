/**
 * Every kind of source gives the same answers: git's. A family of kinds is a test file of
 * its own: see source-kinds.ts.
 */
import { describe, expect, test } from 'vitest'
import { roundsOf } from '../support/conformance.ts'
import { families } from './source-kinds.ts'
import { fixtures } from './support.ts'

/** Asks the kinds of a family all questions. */
export function answerAsGit(family: keyof typeof families): void {
  for (const kind of families[family]) {
    describe(`From ${kind.name}`, () => {
      for (const [question, about] of roundsOf(kind, fixtures)) {
        test(`one learns ${question.name}`, async () => {
          expect(about.length).toBeGreaterThan(0)
          for (const of of about) {
            expect(await kind.ask(question, of), of.name).toEqual(question.expected(of, kind))
          }
        })
      }
    })
  }
}
