/** Producers of pages are limited in how far they run ahead of the consumer. */

import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { LongQuestion } from '../../dist/base/protocol.js'
import type { SharedPages } from '../../dist/engine/engine.js'
import { JointPages } from '../../dist/engine/joint-pages.js'
import type { Connection } from '../../dist/worker/connection.js'
import { PageWriter } from '../../dist/worker/frames.js'
import { RemoteWorkUnits } from '../../dist/worker/remote-work-units.js'

const MIB = 1 << 20

/** The size of pages, how many are requested ahead, and how many wait to be taken. */
const CASES = [
  [100, 12, 16],
  [MIB, 12, 16],
  [4 * MIB, 4, 4],
  [40 * MIB, 1, 1],
] as const

/** A worker with pages of one size, which counts the requests without an answer. */
function workerOf(length: number) {
  const seen = { waiting: 0, most: 0 }
  const page = new Uint8Array(length)
  const ask = async (_: unknown, take: (answer: unknown) => unknown) => {
    seen.most = Math.max(seen.most, ++seen.waiting)
    await setTimeout(1)
    const writer = new PageWriter()
    writer.page(page)
    seen.waiting--
    return take({ frames: writer.take(), paths: [], finished: 0 })
  }
  const connection = { ask, notify: () => {} } as unknown as Connection
  const workUnits = new RemoteWorkUnits(async () => connection, 1, {} as LongQuestion)
  return { seen, workUnits }
}

test('twelve pages are requested ahead of a worker, and fewer large ones', async () => {
  for (const [length, ahead] of CASES) {
    const { seen, workUnits } = workerOf(length)
    workUnits.claim(1)
    // The size of pages is estimated by those that arrived.
    for (let at = 0; at < 30; at++) await workUnits.next(MIB, {})
    seen.most = 0
    for (let at = 0; at < 5; at++) await workUnits.next(MIB, {})
    expect(seen.most, `${length} bytes`).toBe(ahead)
  }
})

/** Makes an endless number of work units. */
function member(next: () => Promise<Uint8Array<ArrayBuffer>>): SharedPages {
  let claims = 0
  const nothing = () => {}
  const workUnits = async () => ({ count: 8, fingerprint: '' })
  const claim = () => {
    claims++
  }
  const pages = {
    next,
    lend: next,
    giveBack: nothing,
    workUnits,
    claim,
    addRecords: nothing,
    end: nothing,
  }
  const pathOf = () => undefined
  return {
    ...pages,
    pathOf,
    get unfinished() {
      return claims
    },
    get unmade() {
      return claims
    },
  }
}

test('up to sixteen pages of a worker wait to be taken, and fewer large ones', async () => {
  for (const [length, , ready] of CASES) {
    const page = new Uint8Array(length)
    let made = 0
    const helper = member(async () => {
      made++
      return page
    })
    const joint = new JointPages({
      singleEngine: () => expect.unreachable(),
      leader: member(() => new Promise(() => {})),
      inThread: false,
      helpers: () => [Promise.resolve(helper)],
      take: () => true,
      hasFinalPages: false,
    })
    await joint.next(MIB, {})
    await setTimeout(5)
    expect(made, `${length} bytes`).toBe(ready + 1)
    await joint.next(MIB, {})
    await setTimeout(5)
    expect(made, `${length} bytes`).toBe(ready + 2)
    joint.end()
  }
})
