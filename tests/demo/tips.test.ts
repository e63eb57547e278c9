// Packs without refs: the number of objects that are read before a page is shown.
import { open } from 'packlens'
import { describe, expect, test } from 'vitest'
import type { OpeningProgress } from '../../demo/src/repository/opened'
import { findTips } from '../../demo/src/repository/tips'
import { entryOf, indexed, objectId } from '../node/blob-pack.ts'

const COMMITS = 6500
const BLOBS = 100
/** The age of a branch that was never merged: its tip is stored after so many commits. */
const OLD_TIP = 5000

/** A pack in git's order: commits, the newest first, then the tree and blobs. */
function made(order: 'newest first' | 'oldest first') {
  const entries: { entry: Buffer; oid: string }[] = []
  const put = (type: 'commit' | 'tree' | 'blob', content: Buffer) => {
    const oid = objectId(type, content)
    entries.push({ entry: entryOf(type, content), oid })
    return oid
  }
  const tree = objectId('tree', Buffer.alloc(0))
  const commits: string[] = []
  for (let at = 0; at < COMMITS; at++) {
    const person = `A U Thor <author@example.com> ${1_000_000_000 + at} +0000`
    // The tip of the old branch has no child: its neighbour builds on the one before it.
    const parent = commits.at(at === COMMITS - OLD_TIP + 1 ? -2 : -1)
    const parents = parent ? `parent ${parent}\n` : ''
    const text = `tree ${tree}\n${parents}author ${person}\ncommitter ${person}\n\nnumber ${at}\n`
    commits.push(put('commit', Buffer.from(text)))
  }
  if (order === 'newest first') entries.reverse()
  put('tree', Buffer.alloc(0))
  for (let at = 0; at < BLOBS; at++) put('blob', Buffer.alloc(50_000, `${at} and on and on, `))
  const { pack, idx } = indexed(
    entries.map(({ entry }) => entry),
    entries.map(({ oid }) => oid),
  )
  return {
    packs: [{ pack: new Blob([new Uint8Array(pack)]), idx: new Blob([new Uint8Array(idx)]) }],
    newest: commits.at(-1) as string,
    old: commits.at(COMMITS - OLD_TIP) as string,
  }
}

const oidsOf = ({ refs }: { refs: readonly { oid: string | null }[] }) => refs.map(({ oid }) => oid)

describe.each(['here', 'without its index'])(
  'A pack with the newest commits first, %s',
  (where) => {
    test('shows them before the whole pack is searched, and others without a child later', async () => {
      const { packs, newest, old } = made('newest first')
      const given = where === 'here' ? packs : packs.map(({ pack }) => ({ pack }))
      await using repo = await open({ packs: given })
      const seen: string[] = []
      const onProgress = ({ phase, done, total }: OpeningProgress) => {
        seen.push(`${phase} ${done} of ${total}`)
      }
      const { tips, rest } = await findTips(repo, given, { onProgress })
      expect(tips.newest).toBe(newest)
      if (where !== 'here') {
        expect(oidsOf(tips)).toEqual([newest, old])
        return expect(rest).toBeNull()
      }
      expect(oidsOf(tips)).toEqual([newest])
      expect(seen).toEqual([])
      // Types of the first objects, then the commits among them, then the tip.
      expect(repo.stats().objects).toBeLessThanOrEqual(2 * 256 + 1)
      expect(oidsOf((await rest?.({ onProgress })) ?? tips)).toEqual([newest, old])
      const total = COMMITS + 1 + BLOBS
      expect(seen).toEqual([2000, 4000, 6000].map((done) => `tips ${done} of ${total}`))
    })
  },
)

test('A pack with the oldest commits first is searched, and reports its progress', async () => {
  const { packs, newest, old } = made('oldest first')
  await using repo = await open({ packs })
  const seen: number[] = []
  const { tips, rest } = await findTips(repo, packs, { onProgress: ({ done }) => seen.push(done) })
  expect([oidsOf(tips), rest]).toEqual([[newest, old], null])
  expect(seen).toEqual([2000, 4000, 6000])
})

test('An abort ends the search', async () => {
  const { packs } = made('oldest first')
  await using repo = await open({ packs })
  const controller = new AbortController()
  const search = findTips(repo, packs, {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  })
  await expect(search).rejects.toThrow('the signal was aborted')
})
