/** What `npm test` makes of its arguments. */
import { expect, test } from 'vitest'
import { parted } from '../../scripts/lib/test-run.mjs'

test('steps are named, and behind one of them its tests', () => {
  expect(parted([])).toEqual({ names: [], only: [] })
  expect(parted(['clippy', 'node'])).toEqual({ names: ['clippy', 'node'], only: [] })
  const only = ['fsck', '-t', 'strict']
  expect(parted(['node', ...only])).toEqual({ names: ['node'], only })
  expect(parted(['native', 'refs'])).toEqual({ names: ['native'], only: ['refs'] })
})

test('tests are named behind one step, which has some', () => {
  for (const args of [
    ['clippy', 'refs'],
    ['node', 'wasi', 'refs'],
  ]) {
    expect(() => parted(args)).toThrow(/'refs' is no step; tests are named behind one of native/)
  }
})
