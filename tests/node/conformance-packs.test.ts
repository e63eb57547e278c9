/** Every kind of source gives the same answers: git's. */
import { open } from 'packlens'
import { describe, expect, test } from 'vitest'
import { roundsOf } from '../support/conformance.ts'
import { kinds } from './kinds.ts'
import { packFiles, packs } from './sources.ts'
import { fixtures } from './support.ts'

for (const kind of kinds) {
  describe(`From ${kind.name}`, () => {
    for (const [question, about] of roundsOf(kind, fixtures)) {
      test(`one learns ${question.name}`, async () => {
        expect(about.length).toBeGreaterThan(0)
        for (const of of about) {
          expect(await kind.ask(question, of), of.name).toEqual(question.wanted(of, kind))
        }
      })
    }
  })
}

const packed = fixtures.filter((of) => packFiles(of).length > 0)

test.each(packed)('How far the index of $name has come is told', async (of) => {
  const done: number[] = []
  const repo = await open(
    packs(of, (bytes) => bytes, { idx: false }),
    {
      onProgress(progress) {
        expect(progress.done).toBeLessThanOrEqual(progress.total)
        done.push(progress.done)
      },
    },
  )
  expect(done.length).toBeGreaterThan(0)
  repo.close()
})
