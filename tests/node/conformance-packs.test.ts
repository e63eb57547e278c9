/** Packs without a repository: all answers as git's, and how far an index has come. */
import { open } from 'packlens'
import { expect, test } from 'vitest'
import { answerAsGit } from './conformance.ts'
import { packFiles, packs } from './sources.ts'
import { fixtures } from './support.ts'

answerAsGit('packs')

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
