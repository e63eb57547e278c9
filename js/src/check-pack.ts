/** Checking a pack with its index: one of a repository, or one on its own. */
import type { Asker } from './asker.js'
import { ofAllRows } from './asker.js'
import type { MaybePromise } from './maybe.js'
import { checkArgument, checkOptions, text } from './options/rules.js'
import { CHECK_PACK, CHECK_PACK_FILES } from './options/tables.js'
import type { PackFacts, PackOptions, PackReaders } from './pack-answers.js'
import { closing, factsIn, only, packQuestion, reporting, takeAll } from './pack-answers.js'
import { ofCaller } from './source/failed.js'

/** What {@link Repository.checkPack} takes. */
export type CheckPackOptions = Pick<PackOptions, 'collisions' | 'onProgress' | 'signal'>

/** How a pack on its own is checked. */
export interface CheckPackFilesOptions extends PackOptions {
  /**
   * Told, piece by piece, what `git verify-pack -v` prints of a pack that is as its index
   * says. The bytes are good until this returns.
   */
  readonly onListing?: ((text: Uint8Array<ArrayBuffer>) => void) | undefined
  /** Leaves out the lines about each object: `--stat-only`. */
  readonly statOnly?: boolean | undefined
}

/** Checks a pack of a repository: `name` is that of the pack, or its path. */
export function checkPack(
  asker: Asker,
  name: string,
  options: CheckPackOptions,
): MaybePromise<PackFacts> {
  checkOptions('checkPack', options, CHECK_PACK)
  checkArgument('checkPack', 'the name of the pack', name, text)
  const { engine, pool, inOneTurn } = asker
  const stem = name.replace(/\.(pack|idx)$/, '')
  const path = stem.includes('/') ? stem : `objects/pack/${stem}`
  const { collisions } = options
  const request = packQuestion({ verify: true, collisions }, `${path}.pack`, `${path}.idx`)
  const begin = () => (inOneTurn ? engine.pages(request) : pool.index(engine, request))
  return ofAllRows(asker, factsIn(begin, reporting(options), options), only)
}

/** Checks the pack that an engine was opened with, and closes the engine. */
export async function checkPackWith(
  open: () => PackReaders,
  options: CheckPackFilesOptions,
): Promise<PackFacts> {
  checkOptions('checkPack', options, CHECK_PACK_FILES)
  const { onListing, statOnly, collisions } = options
  const summary = onListing !== undefined
  const request = packQuestion({ verify: true, lines: summary && !statOnly, summary, collisions })
  const taker = {
    ...reporting(options),
    ...(onListing && { text: ofCaller('onListing', onListing) }),
  }
  return closing(open(), (pages) => takeAll(pages(request), taker, options))
}
