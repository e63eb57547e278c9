/** Loading the module in a page that has not done so. */
import { load, open, openSync } from 'packlens'
import { expect, test } from 'vitest'
import { codeOf, errorOf, fixture, packs } from './support.ts'

const of = fixture('tiny')

test('Opening without promises needs the module, and two who load it get the same one', async () => {
  const source = await packs(of, (bytes) => bytes)
  const error = await errorOf(() => openSync(source))
  expect([error.code, error.message]).toEqual(['BAD_INPUT', expect.stringContaining('load()')])
  const repos = await Promise.all([open(source), open(source), load().then(() => openSync(source))])
  for (const repo of repos) {
    for (const { oid, size } of of.objects) expect((await repo.read(oid)).size).toBe(size)
    repo.close()
  }
  expect(await codeOf(() => repos[0].read('HEAD'))).toBe('CLOSED')
})
