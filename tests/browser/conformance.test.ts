/** Every kind of source in a browser gives the same answers as git. */
import { describe, expect, test } from 'vitest'
import { roundsOf } from '../support/conformance.ts'
import { kinds } from './source-kinds.ts'
import { fixtures } from './support.ts'

for (const kind of kinds) {
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
