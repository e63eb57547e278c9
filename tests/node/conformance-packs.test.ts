/** Packs without a repository: all answers equal git's, and indexing reports its progress. */
import { open } from 'packlens'
import { expect, test } from 'vitest'
import { answerAsGit } from './conformance.ts'
import { packFiles, packs } from './sources.ts'
import { fixtures } from './support.ts'

answerAsGit('packs')

const packed = fixtures.filter((of) => packFiles(of).length > 0)

test.each(packed)('Indexing $name reports its progress', async (of) => {
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
